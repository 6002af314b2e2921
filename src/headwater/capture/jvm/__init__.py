"""The JVM side of a driver: the plan reader, its messages, and a Java to run Spark with."""
