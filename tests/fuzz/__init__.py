"""Requests that nobody means well: what the server makes of them. `make fuzz N=100000 SEED=1` sends many."""
