"""Graphs of columns, datasets and jobs in Marquez's form."""
