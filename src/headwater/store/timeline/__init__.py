"""Runs, versions and slots: what was written when, and what is in force."""
