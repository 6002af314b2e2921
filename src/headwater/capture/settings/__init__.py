"""What a job may set: `spark.headwater.*`, and the settings of OpenLineage's agent."""
