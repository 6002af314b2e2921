"""Stream: events into a lake as they come, batch by batch."""
