"""Random warehouses: jobs, views, renames, drops and other producers, run by Spark, to hold answers to what happens."""
