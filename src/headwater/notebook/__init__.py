"""How answers look in a notebook: rows, words, small pictures."""
