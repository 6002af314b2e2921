"""Steps that write: files and tables, as a whole, in addition, or only some partitions."""

from __future__ import annotations

from tests.truth.kinds import INT, STRING, Kind

from .sources import SOURCES, ddl
from .writer import PARTITION, Columns, Frame, Steps, Table, Writer, quoted


def _target(w: Writer, *, in_catalog: bool | None = None, partitioned: bool | None = None) -> Table | None:
    """A table that is there already, and that more can be written to."""
    fitting = [
        table
        for table in w.tables
        if not table.view
        and (in_catalog is None or table.in_catalog == in_catalog)
        and (partitioned is None or (table.partition is not None) == partitioned)
    ]
    return w.rng.choice(fitting) if fitting else None


def _fitted(w: Writer, frame: Frame, columns: Columns) -> str:
    """A frame's rows in the columns of a table that is there already."""
    texts = [f"{w.expression(frame.columns, kind, 1)} AS {name}" for name, kind in columns.items()]
    return f"{frame.name}.selectExpr({quoted(texts)})"


def _folder(w: Writer, columns: Columns, partition: str | None = None) -> Table:
    name = w.new("t")
    table = Table(name, f'spark.read.parquet(f"{{root}}/out/{name}")', columns, partition=partition)
    w.tables.append(table)
    return table


def _table(w: Writer, columns: Columns, partition: str | None = None) -> Table:
    name = w.new("t")
    table = Table(name, f'spark.table("{name}")', columns, in_catalog=True, partition=partition)
    w.tables.append(table)
    return table


def files(w: Writer) -> None:
    frame = w.pick()
    table = _folder(w, frame.columns)
    w.write("write files", f'{frame.name}.write.mode("overwrite").parquet(f"{{root}}/out/{table.name}")')


def files_again(w: Writer) -> None:
    """More into a folder, or other rows instead of those that nobody has read yet."""
    table = _target(w, in_catalog=False, partitioned=False)
    if table is None:
        files(w)
        table = w.tables[-1]
    mode = "append" if table.was_read or w.chance(0.7) else "overwrite"
    frame = w.pick(apart_from=table)
    rows = _fitted(w, frame, table.columns)
    w.write(f"{mode} files", f'{rows}.write.mode("{mode}").parquet(f"{{root}}/out/{table.name}")')


def save_as_table(w: Writer) -> None:
    frame = w.pick()
    table = _table(w, frame.columns)
    w.write("saveAsTable", f'{frame.name}.write.format("parquet").saveAsTable("{table.name}")')


def create_as_select(w: Writer) -> None:
    frame = w.pick()
    table = _table(w, frame.columns)
    w.write(
        "CTAS",
        f'{frame.name}.createOrReplaceTempView("rows")',
        f'spark.sql("CREATE TABLE {table.name} USING parquet AS SELECT * FROM rows")',
    )


def insert(w: Writer) -> None:
    table = _target(w, in_catalog=True, partitioned=False)
    if table is None:
        save_as_table(w)
        table = w.tables[-1]
    over = not table.was_read and w.chance(0.3)
    frame = w.pick(apart_from=table)
    rows = _fitted(w, frame, table.columns)
    if w.chance(0.5):
        w.write(
            "INSERT",
            f'{rows}.createOrReplaceTempView("rows")',
            f'spark.sql("INSERT {"OVERWRITE" if over else "INTO"} {table.name} SELECT * FROM rows")',
        )
    else:
        w.write("insertInto", f'{rows}.write.insertInto("{table.name}", overwrite={over})')


# --- partitions -----------------------------------------------------------------------------------------------------


def _partitioned(w: Writer, frame: Frame) -> tuple[str, dict[str, Kind]]:
    """Rows with a column of few values at their end."""
    columns, texts = {}, []
    for kind in (INT, STRING):
        name = w.new("c")
        columns[name] = kind
        texts.append(f"{w.expression(frame.columns, kind, 1)} AS {name}")
    columns[PARTITION] = INT
    texts.append(f"COALESCE(CAST(abs({w.int_(frame.columns, 0)}) % 3 AS INT), 0) AS {PARTITION}")
    return f"{frame.name}.selectExpr({quoted(texts)})", columns


def partitioned_files(w: Writer) -> None:
    rows, columns = _partitioned(w, w.pick())
    table = _folder(w, columns, PARTITION)
    # Which folders there are depends on the rows: without the schema the column might be gone.
    schema = ", ".join(f"{name} {kind.ddl}" for name, kind in columns.items())
    table.reading = f'spark.read.schema("{schema}").parquet(f"{{root}}/out/{table.name}")'
    w.write("partitioned files", f'{rows}.write.partitionBy("{PARTITION}").parquet(f"{{root}}/out/{table.name}")')


def one_folder(w: Writer) -> None:
    """Replace one partition by writing into its folder."""
    table = _target(w, in_catalog=False, partitioned=True)
    if table is None:
        partitioned_files(w)
        table = w.tables[-1]
    columns = {name: kind for name, kind in table.columns.items() if name != table.partition}
    rows = _fitted(w, w.pick(apart_from=table), columns)
    w.lost(table)
    place = f"{{root}}/out/{table.name}/{table.partition}={w.rng.randint(0, 2)}"
    w.write("overwrite a partition's folder", f'{rows}.write.mode("overwrite").parquet(f"{place}")')


def dynamic_files(w: Writer) -> None:
    table = _target(w, in_catalog=False, partitioned=True)
    if table is None:
        partitioned_files(w)
        table = w.tables[-1]
    rows = _some_partitions(w, table)
    w.lost(table)
    w.write(
        "dynamic overwrite of files",
        f'{rows}.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")'
        f'.partitionBy("{table.partition}").parquet(f"{{root}}/out/{table.name}")',
    )


def partitioned_table(w: Writer) -> None:
    rows, columns = _partitioned(w, w.pick())
    table = _table(w, columns, PARTITION)
    w.write(
        "partitioned table", f'{rows}.write.format("parquet").partitionBy("{PARTITION}").saveAsTable("{table.name}")'
    )


def dynamic_table(w: Writer) -> None:
    """Replace the partitions that there are rows for, or one by its value."""
    table = _target(w, in_catalog=True, partitioned=True)
    if table is None:
        partitioned_table(w)
        table = w.tables[-1]
    if w.chance(0.5):
        columns = {name: kind for name, kind in table.columns.items() if name != table.partition}
        rows = _fitted(w, w.pick(apart_from=table), columns)
        spec = f"PARTITION ({table.partition} = {w.rng.randint(0, 2)})"
        lines = [f'spark.sql("INSERT OVERWRITE {table.name} {spec} SELECT * FROM rows")']
    else:
        rows = _some_partitions(w, table)
        lines = [
            'spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")',
            f'spark.sql("INSERT OVERWRITE {table.name} SELECT * FROM rows")',
            'spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static")',
        ]
    w.lost(table)
    w.write("INSERT OVERWRITE of partitions", f'{rows}.createOrReplaceTempView("rows")', *lines)


def _some_partitions(w: Writer, table: Table) -> str:
    frame = w.pick(apart_from=table)
    texts = [
        f"{w.expression(frame.columns, kind, 1)} AS {name}"
        for name, kind in table.columns.items()
        if name != table.partition
    ]
    texts.append(f"COALESCE(CAST(abs({w.int_(frame.columns, 0)}) % 2 AS INT), 0) AS {table.partition}")
    return f"{frame.name}.selectExpr({quoted(texts)})"


# --- views and streams ----------------------------------------------------------------------------------------------


def stored_view(w: Writer) -> None:
    """A view over a table of the catalog, and a table made of it."""
    below = _target(w, in_catalog=True)
    if below is None:
        create_as_select(w)
        below = w.tables[-1]
    below.was_read = True
    name, made = w.new("view"), w.new("v")
    columns: dict[str, Kind] = {made: INT, f"{made}_text": STRING}
    select = (
        f"SELECT {w.int_(below.columns, 1)} AS {made}, {w.text_(below.columns, 1)} AS {made}_text FROM {below.name}"
    )
    w.add("CREATE VIEW", f'spark.sql("CREATE VIEW {name} AS {select} WHERE {w.condition(below.columns)}")')
    w.tables.append(
        Table(name, f'spark.table("{name}")', columns, in_catalog=True, view=True, below=frozenset({below.name}))
    )
    save_view = _table(w, columns)
    w.write("write of a view", f'spark.table("{name}").write.format("parquet").saveAsTable("{save_view.name}")')


def batches(w: Writer) -> None:
    """A stream of files, each batch of which is written several times."""
    source = w.rng.choice(list(SOURCES))
    columns = {col.name: col.kind for col in SOURCES[source]}
    batch = Frame("batch", columns)
    first, second = w.new("t"), w.new("t")
    made = w.new("b")
    plain: dict[str, Kind] = {made: INT, f"{made}_text": STRING}
    other = w.pick()
    lines = [
        "def each(batch, number):",
        f'    {_fitted(w, batch, plain)}.write.mode("append").parquet(f"{{root}}/out/{first}")',
    ]
    if w.chance(0.5):
        on = f"a.{w.rng.choice(w.ints(columns))} = {w.int_(other.columns, 0, 'b.')}"
        texts = [f"{w.int_(columns, 1, 'a.')} AS {made}", f"{w.text_(other.columns, 1, 'b.')} AS {made}_text"]
        rows = f'batch.alias("a").join({other.name}.alias("b"), F.expr("{on}")).selectExpr({quoted(texts)})'
    else:
        texts = [f"{w.int_(columns)} AS {made}", f"{w.text_(columns)} AS {made}_text"]
        rows = f'batch.filter("{w.condition(columns)}").selectExpr({quoted(texts)})'
    lines += [
        f'    {rows}.write.mode("append").parquet(f"{{root}}/out/{second}")',
        f'stream = spark.readStream.schema("{ddl(source)}").json(f"{{root}}/src/{source}")',
        f'stream = stream.writeStream.option("checkpointLocation", f"{{root}}/stream/{first}").foreachBatch(each)',
        "stream.trigger(availableNow=True).start().awaitTermination()",
    ]
    w.add("foreachBatch", *lines, completes=2)
    for name in (first, second):
        schema = ", ".join(f"{own} {kind.ddl}" for own, kind in plain.items())
        w.tables.append(Table(name, f'spark.read.schema("{schema}").parquet(f"{{root}}/out/{name}")', plain))


STEPS: Steps = (
    (6, files), (4, files_again), (3, save_as_table), (3, create_as_select), (4, insert), (3, partitioned_files),
    (4, one_folder), (3, dynamic_files), (2, partitioned_table), (4, dynamic_table), (2, stored_view), (1, batches),
)  # fmt: skip
"""What there is, and how often it is taken."""
