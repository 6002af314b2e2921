"""The settings of a job: `spark.headwater.*`, and those of OpenLineage's agent."""
