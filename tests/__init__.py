"""A package, since a client that the tests use brings one of this name, which would be found first."""
