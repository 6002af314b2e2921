"""The routes of Marquez's API."""
