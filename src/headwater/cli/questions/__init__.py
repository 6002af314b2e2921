"""Commands that ask: upstream, downstream, impact, diff, history, pii, search."""
