"""Answers in a notebook: a sentence, a small picture, a table. All names and texts are escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwater.notebook.drawing import column_picture, table_picture
from headwater.notebook.words import column_label, count, edge_in_words, printable, short_names, table_label

if TYPE_CHECKING:
    from headwater.notebook.drawing import End
    from headwater.query.graph.answer import Answer, FieldName, TableAnswer

_ROWS_OF_A_TABLE = 50


def table(rows: Sequence[dict[str, object]], columns: Sequence[str] = ()) -> str:
    """Rows as a table, without columns that are empty in all rows, and without rows after the first fifty.

    >>> table([{"name": "<b>", "tag": None}])
    '<table><tr><th>name</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    shown = rows[:_ROWS_OF_A_TABLE]
    names = dict.fromkeys((*columns, *(name for row in shown for name in row)))
    filled = [name for name in names if any(_cell(row.get(name)) for row in shown)] or list(names)
    header = "".join(f"<th>{_text(name.replace('_', ' '))}</th>" for name in filled)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(row.get(name))}</td>' for name in filled)}</tr>" for row in shown)
    more = f"<p>… and {len(rows) - len(shown):,} more</p>" if len(rows) > len(shown) else ""
    return f"<table><tr>{header}</tr>{body}</table>{more}"


def _cell(value: object) -> str:
    if value is None or value is False:
        return ""
    return "yes" if value is True else _text(str(value))


def _text(text: str) -> str:
    return html.escape(printable(text))


def column_page(answer: Answer, rows: Sequence[dict[str, object]] = (), notes: Sequence[str] = ()) -> str:
    """The answer to a question about a column, with notes; its edges, or other rows, follow the picture."""
    names = [answer.root, *(name for edge in answer.edges for name in (edge.origin, edge.destination))]
    short = short_names((name.namespace, name.name) for name in (*names, *(node.field for node in answer.nodes)))

    def label(name: FieldName) -> str:
        return column_label(name, short)

    edges: list[dict[str, object]] = [
        {
            "from": label(edge.origin),
            "to": label(edge.destination),
            "how": edge_in_words(edge),
            "job": edge.job.name if edge.job else None,
            "carried": edge.carried,
            "assumed": edge.assumed,
        }
        for edge in answer.edges
    ]
    drawn = column_picture(answer, short)
    root = label(answer.root) if answer.root.field is not None else table_label(answer.root, short)
    others = sum(node.distance > 0 for node in answer.nodes)
    heading = "; ".join([f"{answer.direction.value} of {root}: {count(others, 'column')}", *notes])
    return _page(heading, drawn, rows or edges, partial=answer.partial, provisional=answer.provisional)


def table_page(answer: TableAnswer) -> str:
    """The answer to a question about a dataset or a job."""
    short = short_names((node.name.namespace, node.name.name) for node in answer.nodes)

    def label(end: End) -> str:
        kind, name = end
        return f"job {name.name}" if kind.value == "JOB" else short[name.namespace, name.name]

    rows: list[dict[str, object]] = [
        {"from": label(edge.origin), "to": label(edge.destination), "run": edge.run} for edge in answer.edges
    ]
    drawn = table_picture(answer, label)
    jobs = sum(node.kind.value == "JOB" for node in answer.nodes[1:])
    total = f"{count(len(answer.nodes) - 1 - jobs, 'dataset')} and {count(jobs, 'job')}"
    return _page(
        f"{answer.direction.value} of {answer.root.name}: {total}",
        drawn,
        rows,
        partial=answer.partial,
        provisional=False,
    )


def _page(heading: str, drawn: str, rows: Sequence[dict[str, object]], *, partial: bool, provisional: bool) -> str:
    notes = [
        *(["partial: the limit was reached"] if partial else []),
        *(["provisional: the run has not completed"] if provisional else []),
    ]
    return f"<div><p>{_text('; '.join([heading, *notes]))}</p>{drawn}{table(rows) if rows else ''}</div>"
