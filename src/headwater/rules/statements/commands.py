"""What a command writes, and where: one rule per command, found by the name of Spark's class in `RULES`.

A rule reads what the command says about its target (`Write`). The query is looked at afterwards, in `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from headwater.rules.plan.tree import Described, NotAsExpected, Plan
from headwater.rules.statements import inserts, row_level, tables
from headwater.rules.statements.writes import Change, Write, named_dataset

# The fields in which commands keep their targets, and how the names of commands that write begin.
_TARGETS = ("table", "target", "targetTable", "logicalRelation", "relation", "catalogTable", "child", "name")
_WRITES = re.compile(
    r"(?:Append|Clone|Convert|Copy|Delete|Import|Insert|Load|Merge|Overwrite|Restore|Truncate|Update|Upsert|Write)"
    r"(?!.*(?:Propert|Partition|Branch|Tag|Statistics))"
)
_ALTERS = (
    "AddColumns", "AddPartitions", "AlterColumns", "AlterColumn", "AlterTableAddColumnsCommand",
    "AlterTableAddPartitionCommand", "AlterTableChangeColumnCommand", "AlterTableDropPartitionCommand",
    "AlterTableRenamePartitionCommand", "AlterTableSetLocationCommand", "DropColumns", "DropPartitions", "RenameColumn",
    "RenamePartitions", "RepairTable", "RepairTableCommand", "ReplaceColumns", "SetTableLocation", "TruncatePartition",
)  # fmt: skip
NAMESPACE_DROPS = frozenset({"DropDatabaseCommand", "DropNamespace"})
"""The commands that drop a namespace, perhaps with its tables."""

RULES: Mapping[str, Callable[[Plan], Write | None]] = {
    "AlterTableRenameCommand": tables.rename,
    "AlterViewAs": tables.alter_view,
    "AlterViewAsCommand": tables.alter_view,
    "AppendData": inserts.write_v2,
    "CreateDataSourceTableAsSelectCommand": tables.create_table_as_select,
    "CreateDataSourceTableCommand": tables.create_table,
    "ConvertToDeltaCommand": tables.convert_to_delta,
    "CreateDeltaTableCommand": tables.create_delta_table,
    "CreateHiveTableAsSelectCommand": tables.create_table_as_select,
    "CreateIcebergView": tables.create_view,
    "CreateTable": tables.create_table,
    "CreateTableAsSelect": tables.create_v2_as_select,
    "CreateTableCommand": tables.create_table,
    "CreateTableLike": tables.create_table_like,
    "CreateTableLikeCommand": tables.create_table_like,
    "CreateView": tables.create_view,
    "CreateViewCommand": tables.create_view,
    "DeltaDynamicPartitionOverwriteCommand": inserts.write_v2,
    "DropIcebergView": tables.drop,
    "DropTable": tables.drop,
    "DropTableCommand": tables.drop,
    "DropView": tables.drop,
    "InsertIntoDataSourceCommand": inserts.insert_into_relation,
    "InsertIntoDataSourceDirCommand": inserts.insert_into_directory,
    "InsertIntoHadoopFsRelationCommand": inserts.insert_into_files,
    "InsertIntoHiveDirCommand": inserts.insert_into_directory,
    "InsertIntoHiveTable": inserts.insert_into_hive,
    "InsertOnlyMerge": inserts.write_v2,
    "LoadDataCommand": inserts.load_data,
    "OverwriteByExpression": inserts.write_v2,
    "OverwritePartitionsDynamic": inserts.write_v2,
    "RenameTable": tables.rename,
    "ReplaceTable": tables.create_table,
    "ReplaceTableAsSelect": tables.create_v2_as_select,
    "RestoreTableCommand": tables.restore,
    "SaveAsV1TableCommand": tables.create_table_as_select,
    "SaveIntoDataSourceCommand": inserts.save_into_data_source,
    "TruncateDeltaTableCommand": tables.truncate,
    "TruncateTable": tables.truncate,
    "TruncateTableCommand": tables.truncate,
    "WriteToMicroBatchDataSource": inserts.write_micro_batch,
    "WriteToMicroBatchDataSourceV1": inserts.write_micro_batch,
    **dict.fromkeys(inserts.SAVED_RDDS, inserts.save_rdd),
    **dict.fromkeys(_ALTERS, tables.alter),
    **dict.fromkeys(NAMESPACE_DROPS, tables.drop_namespace),
    **dict.fromkeys(row_level.KINDS, inserts.change_rows),
}


def unknown(command: Plan) -> Write | None:
    """What a command without a rule seems to write; None where it names no table.

    It may hold a command that has a rule. Else its query goes into its table, and no rows are said to be replaced.
    """
    query = command.args.get("query")
    if _WRITES.match(command.kind):  # EXPLAIN holds a command, too
        for inside in command.plans:
            if inside.kind in RULES:
                return RULES[inside.kind](inside)
    elif not isinstance(query, Plan):
        return None
    for name in _TARGETS:
        target = command.args.get(name)
        try:
            if isinstance(target, Plan):
                return Write(named_dataset(target), Change.APPEND, query if isinstance(query, Plan) else None)
            if isinstance(target, Described) and target.datasets:
                return Write(target.dataset, Change.APPEND, query if isinstance(query, Plan) else None)
        except NotAsExpected:
            continue
    return None
