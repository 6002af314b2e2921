"""Databases: SQLite and PostgreSQL behind one session."""
