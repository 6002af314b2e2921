"""Rules for operators: what a relation takes from its inputs."""
