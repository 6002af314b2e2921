"""Events on their way: on disk first, then to wherever they are sent."""
