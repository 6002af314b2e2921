"""Random programs of several statements, checked as queries are: change an input, run again, see what changed.

A query shows what one plan says. A program shows what its plans do not: what is behind a checkpoint, a variable, a view
that was replaced, a table that an earlier statement wrote. So a program is tracked as an application of a user is, its
events go into a store, and the store is asked.
"""
