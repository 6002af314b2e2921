"""A job as its users have it, for two agents to watch: files, tables of Spark's catalog, PostgreSQL, Iceberg, Delta.

Not a word of lineage in it: what watches it stands in Spark's settings, or is one line that the test adds below the
session. Arguments: the folder for all files, and PostgreSQL's URL.
"""

import sys

from pyspark.sql import SparkSession

folder, url = sys.argv[1:]
spark = SparkSession.builder.appName("Nightly Shop").getOrCreate()

# Files of several formats, in partitions, several at once, by pattern.
users = spark.read.csv(f"{folder}/in/users", header=True, schema="id INT, name STRING, age INT, country STRING")
users.where("age > 18").write.parquet(f"{folder}/out/adults")
users.write.partitionBy("country").json(f"{folder}/out/by_country")
spark.read.json(f"{folder}/out/by_country").groupBy("country").count().write.orc(f"{folder}/out/counts")
spark.read.json(f"{folder}/out/by_country/country=de").write.parquet(f"{folder}/out/germans")
users.where("age > 65").write.parquet(f"{folder}/out/seniors")
spark.read.parquet(f"{folder}/out/adults", f"{folder}/out/seniors").write.csv(f"{folder}/out/both", mode="overwrite")
spark.read.text(f"{folder}/in/*.txt").write.text(f"{folder}/out/notes")
spark.read.csv(f"{folder}/in/single.csv").write.parquet(f"{folder}/out/single")

# Tables of Spark's own catalog.
spark.sql("CREATE DATABASE shop")
users.write.saveAsTable("shop.users")
spark.sql("CREATE TABLE shop.names USING parquet AS SELECT id, upper(name) AS name FROM shop.users")
spark.sql("INSERT INTO shop.names SELECT id, name FROM shop.users WHERE age > 18")
spark.sql("INSERT OVERWRITE shop.names SELECT id, country FROM shop.users")
spark.sql(
    f"CREATE TABLE shop.elsewhere USING parquet LOCATION '{folder}/out/elsewhere' AS"
    " SELECT u.id, n.name FROM shop.users u JOIN shop.names n ON u.id = n.id"
)

# PostgreSQL: a table, a query, writing.
postgres = {"url": url, "user": "warehouse", "password": "Kept-Secret-81c7f3", "driver": "org.postgresql.Driver"}
spark.read.format("jdbc").options(**postgres, dbtable="clients").load().write.parquet(f"{folder}/out/clients")
spark.read.format("jdbc").options(**postgres, dbtable="sales.orders").load().write.parquet(f"{folder}/out/orders")
joined = "SELECT c.name, o.amount FROM clients c JOIN sales.orders o ON o.client = c.id"
spark.read.format("jdbc").options(**postgres, query=joined).load().write.parquet(f"{folder}/out/joined")
users.write.format("jdbc").options(**postgres, dbtable="users").mode("overwrite").save()

# Iceberg.
spark.sql("CREATE TABLE lake.db.users USING iceberg AS SELECT id, name, age FROM shop.users")
spark.sql("INSERT INTO lake.db.users SELECT id + 10, name, age FROM shop.users")
spark.sql("CREATE TABLE lake.db.copy USING iceberg AS SELECT * FROM lake.db.users")
spark.sql("INSERT OVERWRITE lake.db.copy SELECT * FROM lake.db.users")
spark.table("lake.db.users").where("age > 18").writeTo("lake.db.adults").using("iceberg").createOrReplace()
spark.table("lake.db.users").write.parquet(f"{folder}/out/from_iceberg")
spark.sql(
    "MERGE INTO lake.db.copy t USING lake.db.adults s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET t.name = s.name WHEN NOT MATCHED THEN INSERT *"
)
spark.sql("UPDATE lake.db.copy SET age = age + 1 WHERE id = 1")
spark.sql("DELETE FROM lake.db.copy WHERE age > 100 OR name = 'Bob'")

# Delta, as tables and by path.
spark.sql("CREATE TABLE shop.delta_users USING delta AS SELECT id, name, age FROM shop.users")
spark.sql("INSERT INTO shop.delta_users SELECT id + 10, name, age FROM shop.users")
spark.table("shop.delta_users").write.format("delta").saveAsTable("shop.delta_copy")
users.write.format("delta").save(f"{folder}/out/delta")
users.write.format("delta").mode("append").save(f"{folder}/out/delta")
spark.read.format("delta").load(f"{folder}/out/delta").write.parquet(f"{folder}/out/from_delta")
spark.sql(
    "MERGE INTO shop.delta_copy t USING shop.delta_users s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET t.name = s.name WHEN NOT MATCHED THEN INSERT *"
)
spark.sql("UPDATE shop.delta_copy SET age = age + 1 WHERE id = 1")
spark.sql("DELETE FROM shop.delta_copy WHERE age > 100")
spark.stop()
