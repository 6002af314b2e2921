"""How answers show themselves in a notebook: rows, words, small pictures."""
