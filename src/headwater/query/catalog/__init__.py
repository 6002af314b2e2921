"""What a store holds: datasets, jobs and runs, listed and described."""
