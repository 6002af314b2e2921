"""How the rules treat each class of Spark's plans, by name: the source of the support matrix."""

from __future__ import annotations

from enum import Enum

from headwater.common.masking import Masking
from headwater.rules.expressions import expressions, generators
from headwater.rules.expressions.masking import MASKING, OPAQUE, UNMASKING
from headwater.rules.operators import operators, relations
from headwater.rules.statements import commands

# These run user code over whole rows, or turn values into names: nobody can know which column goes where.
OPAQUE_ON_PURPOSE = frozenset({
    "AppendColumns", "AppendColumnsWithObject", "CoGroup", "DeserializeToObject", "FlatMapCoGroupsInArrow",
    "FlatMapCoGroupsInPandas", "FlatMapGroupsInArrow", "FlatMapGroupsInPandas", "FlatMapGroupsInPandasWithState",
    "FlatMapGroupsInR", "FlatMapGroupsInRWithArrow", "FlatMapGroupsWithState", "MapElements", "MapGroups", "MapInArrow",
    "MapInPandas", "MapPartitions", "MapPartitionsInR", "MapPartitionsInRWithArrow", "PythonMapInArrow",
    "ScriptTransformation", "SerializeFromObject", "TransformWithState", "TransformWithStateInPySpark", "Transpose",
    "TypedFilter",
})  # fmt: skip

# In plans of the parser, the optimizer or a script, but in no analyzed query.
NOT_ANALYZED = frozenset({
    "ArrowEvalPython", "ArrowEvalPythonUDTF", "BatchEvalPython", "BatchEvalPythonUDTF", "CurrentNamespace",
    "DataFrameDropColumns", "DataSourceV2ScanRelation", "DomainJoin", "DummyExpressionHolder", "ErrorCondition",
    "ExceptionHandler", "ForStatement", "GeneralParameterizedQuery", "IfElseStatement", "InMemoryRelation",
    "InsertIntoDir", "InsertIntoStatement", "IterateStatement", "LeaveStatement", "LogicalQueryStage", "LoopStatement",
    "NameParameterizedQuery", "OffsetHolder", "OrderedJoin", "Pivot", "PlanWithUnresolvedIdentifier",
    "PosParameterizedQuery", "RelationTimeTravel", "RepeatStatement", "ReturnAnswer", "SQLTableFunction",
    "ScanBuilderHolder", "SearchedCaseStatement", "SimpleCaseStatement", "SingleStatement",
    "Subquery", "TemporaryViewRelation", "Unpivot", "WhileStatement",
    "WindowGroupLimit", "WithWindowDefinition", "WriteFiles",
})  # fmt: skip

# Only below the command that they belong to, and read together with it.
_READ_WITH_COMMANDS = frozenset({"MergeRows"})


class Support(Enum):
    """How the rules treat a class."""

    RULE = "rule"
    MASKING = "rule: masks"
    KEYED = "rule: masks with a key"
    PARTIAL = "rule: masks in part"
    UNMASKING = "rule: unmasks"
    OPAQUE_FUNCTION = "all arguments, opaque"
    OPAQUE = "opaque on purpose"
    DEFAULT_OPERATOR = "opaque by default"
    DEFAULT_EXPRESSION = "all arguments"
    NOT_ANALYZED = "not in an analyzed plan"
    STATEMENT = "statement"


_KINDS = {
    Masking.IRREVERSIBLE: Support.MASKING,
    Masking.KEYED: Support.KEYED,
    Masking.PARTIAL: Support.PARTIAL,
}


def operator_support(name: str, *, is_command: bool = False) -> Support:
    """How the rules treat a logical operator.

    >>> operator_support("Project"), operator_support("MapInPandas"), operator_support("FromTheFuture")
    (<Support.RULE: 'rule'>, <Support.OPAQUE: 'opaque on purpose'>, <Support.DEFAULT_OPERATOR: 'opaque by default'>)
    """
    if name in operators.RULES or name in relations.RULES or name in commands.RULES or name in _READ_WITH_COMMANDS:
        return Support.RULE
    if is_command:
        return Support.STATEMENT
    if name in OPAQUE_ON_PURPOSE:
        return Support.OPAQUE
    return Support.NOT_ANALYZED if name in NOT_ANALYZED or _is_unresolved(name) else Support.DEFAULT_OPERATOR


def expression_support(name: str) -> Support:
    """How the rules treat an expression.

    >>> expression_support("CaseWhen"), expression_support("Sha2"), expression_support("Upper")
    (<Support.RULE: 'rule'>, <Support.MASKING: 'rule: masks'>, <Support.DEFAULT_EXPRESSION: 'all arguments'>)
    >>> expression_support("UnresolvedStar") is operator_support("ParsedStatement") is Support.NOT_ANALYZED
    True
    """
    if name in MASKING:
        return _KINDS[MASKING[name]]
    if name in UNMASKING:
        return Support.UNMASKING
    if name in expressions.RULES or name in expressions.LEAVES or name in generators.RULES:
        return Support.RULE
    if name in OPAQUE:
        return Support.OPAQUE_FUNCTION
    return Support.NOT_ANALYZED if _is_unresolved(name) else Support.DEFAULT_EXPRESSION


def _is_unresolved(name: str) -> bool:
    return name.startswith(("Unresolved", "Parsed", "Parameterized", "Resolved"))
