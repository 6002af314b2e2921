"""Upkeep: statistics, retention, purge, rebuild."""
