"""Table formats: plain Parquet, Iceberg, Delta."""
