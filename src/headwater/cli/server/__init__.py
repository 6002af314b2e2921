"""`headwater serve`, and the tokens of its users."""
