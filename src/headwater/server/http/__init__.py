"""HTTP: requests, answers, limits, tokens, logs and metrics."""
