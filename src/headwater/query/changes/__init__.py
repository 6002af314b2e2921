"""What changed, and when: histories of columns, and differences between two moments."""
