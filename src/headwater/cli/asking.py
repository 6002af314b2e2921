"""A question as it stands on the command line: its parts, whether they go together, and its answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from headwater.cli.failures import said_to_the_user

if TYPE_CHECKING:
    from headwater.graph.answer import Answer, Direction, TableAnswer
    from headwater.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What `upstream`, `downstream` and `export` are asked."""

    dataset: str | None
    column: str | None
    job: str | None
    as_of: int | None
    since: int | None
    until: int | None
    version: str | None
    contents: bool
    direct: bool
    depth: int | None
    namespace: list[str] | None
    limit: int | None
    collapse: bool

    def answer(self, direction: "Direction", store: str) -> "Answer | TableAnswer":
        """Ask the store; what is wrong is said to the user."""
        self._check(direction)
        # Here, not above: `--help` starts without it.
        from headwater.client import connect  # noqa: PLC0415

        with said_to_the_user(), connect(store) as lineage:
            ask = getattr(lineage, direction.value)
            found: Answer | TableAnswer = ask(
                self.dataset,
                self.column,
                job=self.job,
                as_of=self.as_of,
                since=self.since,
                until=self.until,
                version=self.version,
                contents=self.contents,
                direct=self.direct,
                depth=self.depth,
                namespaces=self.namespace,
                limit=self.limit,
                collapse=self.collapse,
            )
        return found

    def _check(self, direction: "Direction") -> None:
        if self.dataset is None and self.job is None:
            raise typer.BadParameter("name a dataset, or a job by --job.", param_hint="DATASET")
        if self.job is not None and (self.dataset is not None or self.version is not None):
            raise typer.BadParameter("a job has no dataset, column or version.", param_hint="--job")
        if self.version is not None and direction.value == "downstream":
            raise typer.BadParameter(
                "a version is asked where it comes from, not what it reaches.", param_hint="--version"
            )
        of_columns = self.column is not None or self.version is not None
        if self.direct and not of_columns:
            raise typer.BadParameter("is about columns: name one.", param_hint="--direct")
        if self.collapse and of_columns:
            raise typer.BadParameter("is about datasets and jobs, not about columns.", param_hint="--collapse")
        check_times(self.as_of, self.since, self.until, self.version, contents=self.contents)


def check_times(
    as_of: int | None, since: int | None, until: int | None, version: str | None = None, *, contents: bool = False
) -> None:
    """See to it that at most one time is asked about."""
    window = since is not None or until is not None
    if sum((as_of is not None, window, version is not None)) > 1:
        raise typer.BadParameter("--as-of, --since with --until, and --version are three questions: write one.")
    if contents and (window or version is not None):
        raise typer.BadParameter("is about one moment: write --as-of, or no time.", param_hint="--contents")
    if since is not None and until is not None and since > until:
        raise typer.BadParameter("is before --since.", param_hint="--until")


@contextmanager
def store_there(url: str) -> "Iterator[Store]":
    """A store to look after: one that is not there is an error, not made."""
    from headwater.store import open_store  # noqa: PLC0415  `--help` starts without it

    with open_store(url) as store:
        with store.read():
            pass
        yield store
