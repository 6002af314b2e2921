"""The Spark session that works on a lake."""
