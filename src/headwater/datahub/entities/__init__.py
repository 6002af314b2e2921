"""Entities of DataHub as the store knows them, and the relations between them."""
