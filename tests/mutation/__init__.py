"""Mutation testing: small changes to the code, each of which some test must notice. `make mutation` runs it."""
