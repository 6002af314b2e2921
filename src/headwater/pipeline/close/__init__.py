"""Close: every column's roots and reach at a moment, over a whole lake."""
