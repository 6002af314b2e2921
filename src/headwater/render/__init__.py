"""Answers for people and programs: text for terminals, and files in other formats."""
