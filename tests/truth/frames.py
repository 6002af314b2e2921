"""Random queries of the DataFrame API: what has no SQL, and the common ways to write the rest."""

from __future__ import annotations

import random

from .expressions import Expressions
from .kinds import BOOLEAN, DOUBLE, INT, STRING
from .tables import TABLES


def python_query(rng: random.Random) -> tuple[str, str]:
    """Python that gives a DataFrame, with `spark` and `F` in scope; and what it shows."""
    orders, people = (Expressions(rng, TABLES[table]) for table in ("orders", "people"))
    o, p = orders.write, people.write
    condition = f'F.expr("{o(BOOLEAN, 2)}")'
    choices = {
        "withField": f"""spark.table("orders").filter({condition}).select("id", F.col("ship").withField(
    "zip", F.expr("{o(INT, 2)}")).withField("geo.lat", F.expr("{o(DOUBLE, 1)}")).alias("ship"))""",
        "dropFields": """spark.table("orders").select(F.col("ship").dropFields("geo.lon", "zip").alias("s"), "qty")""",
        "dropFields, whole": f"""spark.table("people").withColumn(
    "home", F.col("home").dropFields("zip").withField("more", F.expr("{p(STRING, 2)}"))).select("home", "age")""",
        "dropDuplicates": f"""spark.table("orders").select(
    F.expr("{o(INT, 1)}").alias("a"), F.expr("{o(STRING, 1)}").alias("b")).dropDuplicates()""",
        "dropDuplicates of some": f"""spark.table("orders").select(
    F.expr("{o(STRING, 1)}").alias("a"), "qty", "note").withColumn("n", F.length("a")
    ).dropDuplicates(["a"]).select("a", "n")""",
        "withColumns": f"""spark.table("people").withColumns(
    {{"a": F.expr("{p(INT, 2)}"), "age": F.expr("{p(INT, 1)}")}}
    ).withColumnRenamed("name", "who").drop("home", "props")""",
        "pivot": f"""spark.table("orders").withColumn("g", F.expr("{o(INT, 1)}")).groupBy("g").pivot(
    "paid", [True, False]).agg(F.max("note").alias("m"), F.sum("qty").alias("n"))""",
        "unpivot": """spark.table("orders").unpivot(["id"], ["qty", "item"], "name", "value")""",
        "unionByName": f"""spark.table("people").select("cust", "name", "home").unionByName(
    spark.table("orders").filter({condition}).select("note", "cust"), allowMissingColumns=True)""",
        "subtract": """spark.table("people").select("cust", "age").subtract(
    spark.table("orders").select("cust", "qty"))""",
        "intersectAll": """spark.table("people").select("cust").intersectAll(spark.table("orders").select("cust"))""",
        "join on names": f"""spark.table("orders").filter({condition}).join(
    spark.table("people"), ["cust"], "{rng.choice(["inner", "left", "right", "full"])}"
    ).select("cust", "qty", "home.city", F.expr("{o(INT, 0)} + age").alias("x"))""",
        "semi join": f"""spark.table("people").join(spark.table("events"), "cust",
    "{rng.choice(["left_semi", "left_anti"])}").select("name", F.expr("{p(INT, 1)}").alias("x"))""",
        "fillna": """spark.table("orders").select("id", "note", "qty", "price").fillna({"note": "?", "qty": 9})""",
        "dropna": """spark.table("people").dropna(subset=["age", "name"]).select("cust", "score", "name")""",
        "replace": """spark.table("people").replace({"a": "z"}, subset=["name"]).select("name", "age")""",
        "when": f"""spark.table("orders").select(F.when({condition}, F.col("qty")).when(
    F.col("paid"), F.lit(1)).otherwise(F.expr("{o(INT, 1)}")).alias("w"), "price")""",
        "nested aggregate": f"""spark.table("orders").groupBy("ship.city").agg(
    F.struct(F.max("qty").alias("q"), F.expr("{"min(" + o(STRING, 1) + ")"}").alias("m")).alias("s"))""",
        "explode, then group": """spark.table("orders").select("id", F.explode_outer("lines").alias("l")).groupBy(
    "l.sku").agg(F.sum("l.n").alias("n"), F.countDistinct("id").alias("ids"))""",
        "star of a struct": f"""spark.table("people").filter(F.expr("{p(BOOLEAN, 1)}")).select("home.*", "cust")""",
        "sort and limit": f"""spark.table("orders").orderBy(F.expr("{o(INT, 1)}").desc(), "id").limit(4).select(
    "note", "qty")""",
        "cube": """spark.table("orders").cube("paid", "note").agg(
    F.sum("qty").alias("n"), F.grouping_id().alias("g"))""",
        "cached": f"""spark.table("orders").select("id", F.expr("{o(STRING, 1)}").alias("a")).hint(
    "broadcast").repartition(1).alias("x").filter("x.id > 2").select("x.*")""",
    }
    choices |= {
        "Python function": f"""spark.table("orders").select("id", F.udf(
    lambda a, b: None if a is None else a + len(b or ""), "int")(
    F.expr("{o(INT, 1)}"), F.expr("{o(STRING, 1)}")).alias("u"), "qty")""",
        "Python function that filters": f"""spark.table("people").filter(F.udf(
    lambda a: a is None or a % 2 == 1, "boolean")(F.expr("{p(INT, 1)}"))).select("name", "age")""",
        "as-of join": f"""spark.table("events").select("eid", "cust", "seen")._joinAsOf(
    spark.table("orders").filter({condition}).select(F.col("cust").alias("c"), "at", "qty"), "seen", "at",
    on=F.col("cust") == F.col("c"), how="{rng.choice(["left", "inner"])}", direction="backward"
    ).groupBy("eid").agg(F.max("qty").alias("q"), F.max("c").alias("c"))""",
        "observe": f"""spark.table("orders").observe("seen", F.expr("{"max(" + o(INT, 1) + ")"}").alias("m")).select(
    "id", F.expr("{o(STRING, 1)}").alias("a"))""",
        "sample of all": """spark.table("people").sample(1.0).select("cust", "home.city")""",
    }
    label = rng.choice(sorted(choices))
    return choices[label], label
