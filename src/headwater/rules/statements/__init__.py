"""Rules for commands: what a statement writes, and where each column comes from."""
