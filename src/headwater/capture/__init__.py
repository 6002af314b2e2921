"""Capture in the Spark driver: plans in, events out.

- `tracker`: `headwater.track`; `explain`: `headwater.lineage`; `launch`: `headwater run`
- `executions`: which executions, runs and streams are open
- `jvm/`: the only folder that touches the JVM, with the Java that runs in the driver (`reader/`)
- `settings/`: `spark.headwater.*`
"""
