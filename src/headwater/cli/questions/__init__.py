"""Commands that ask: upstream, downstream, roots, impact, diff, history, pii, search."""
