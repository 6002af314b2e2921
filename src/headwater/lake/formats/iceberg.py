"""Iceberg tables below the lake's directory; a state is the number of a snapshot."""

from collections.abc import Collection, Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.lake.conditions import Part, Where, in_parts
from headwater.lake.errors import LakeError
from headwater.lake.few import Few
from headwater.lake.files import Files
from headwater.lake.formats.formats import State, lay_out
from headwater.lake.tables import Table
from headwater.store.model.short_names import short_hash

_CATALOG = "org.apache.iceberg.spark.SparkCatalog"


class IcebergTables:
    """Iceberg tables in a catalog that is the lake's directory."""

    def __init__(self, spark: SparkSession, files: Files) -> None:
        self._spark = spark
        self._files = files
        # One for each lake: an open catalog cannot move to another place.
        self._catalog = f"headwater_{short_hash(files.root):x}"
        settings = {"": _CATALOG, ".type": "hadoop", ".warehouse": files.root, ".cache-enabled": "false"}
        for name, value in settings.items():
            spark.conf.set(f"spark.sql.catalog.{self._catalog}{name}", value)

    def _name(self, table: Table) -> str:
        return f"{self._catalog}.`{table.name}`"

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table in a state; Iceberg itself prunes partitions by the condition."""
        frame = self._spark.read.option("versionAsOf", str(state)).table(self._name(table))
        return frame if where is None else frame.where(where.column)

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """The rows that the earlier state does not have."""
        return self.read(table, state, None).join(self.read(table, before, None), [*table.key], "left_anti")

    def write(  # noqa: PLR0913, PLR0917  a table's change
        self, table: Table, state: State, rows: DataFrame, emptied: Collection[Part], run: str, few: Few | None
    ) -> State:
        """Append rows, or replace partitions."""
        del run, few
        writer = lay_out(table, rows).writeTo(self._name(table))
        if not self._files.exists(f"{table.name}/metadata"):
            created = writer.using("iceberg")
            columns = [sf.col(name) for name in table.part_names]
            (created.partitionedBy(*columns) if columns else created).create()
        elif state is None:
            # What is there is of earlier snapshots, or was left by a run that died.
            writer.overwrite(sf.lit(True))  # noqa: FBT003  a literal of Spark
        else:
            self._go_back(table, state)
            if emptied:
                writer.overwrite(in_parts(table, emptied).column)
            else:
                writer.append()
        return str(self._java(table).currentSnapshot().snapshotId())

    def _go_back(self, table: Table, state: State) -> None:
        """Drop what a run that died wrote: the table goes back to the state."""
        java_table = self._java(table)
        if java_table.currentSnapshot().snapshotId() != int(state):
            java_table.manageSnapshots().setCurrentSnapshot(int(state)).commit()

    def _java(self, table: Table) -> Any:  # noqa: ANN401  an object of the JVM
        jvm: Any = self._spark.sparkContext._jvm  # noqa: SLF001  Iceberg's own API is in the JVM only
        session = self._spark._jsparkSession  # noqa: SLF001  as above
        try:
            return jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(session, self._name(table))
        except TypeError as error:
            raise LakeError("Spark lacks Iceberg: start Spark with its package; see docs/lake.md.") from error

    def remove_unused(self, table: Table, states: Sequence[State], before_ms: int) -> None:
        """Have Iceberg expire the snapshots of no state, and remove their files."""
        if not self._files.exists(table.name):
            return
        java_table = self._java(table)
        needed = {int(state) for state in states if state is not None} | {java_table.currentSnapshot().snapshotId()}
        expiring = java_table.expireSnapshots()
        old = [snapshot.snapshotId() for snapshot in java_table.snapshots() if snapshot.timestampMillis() < before_ms]
        for number in old:
            if number not in needed:
                expiring = expiring.expireSnapshotId(number)
        # Without a time, Iceberg would choose one, and expire snapshots that are needed.
        expiring.expireOlderThan(0).commit()
