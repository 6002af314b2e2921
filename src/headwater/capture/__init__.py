"""The only room that touches the JVM: plans in, frozen trees out.

- `reader/`: the Java that runs in the driver, compiled there
- `jvm`: compiles it, and hands its listener to Spark
- `decode`: what it wrote, as trees
- `tracker`: `headwater.track`
- `java`, `launch`: a Java for Spark, and an unchanged script with tracking on
"""
