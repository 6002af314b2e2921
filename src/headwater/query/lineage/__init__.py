"""Questions about columns and tables: where they come from, what they reach, now and at other moments."""
