"""What events mean to the store, and the rules of time; pure."""
