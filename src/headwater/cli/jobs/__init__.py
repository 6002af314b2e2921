"""Commands that run jobs: a script, the demo, a simulation."""
