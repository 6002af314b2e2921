"""Names of jobs: statements of one application that fill the same dataset in different ways are different jobs."""

from __future__ import annotations

import re
from hashlib import blake2b

from headwater.capture.fingerprints import fingerprint
from headwater.openlineage.build.events import Application
from headwater.rules.plan.tree import Dataset
from headwater.rules.session.latest import Latest
from headwater.rules.statements.statements import Statement, Written
from headwater.rules.statements.writes import Change

_REPLACING = frozenset({Change.OVERWRITE, Change.TRUNCATE, Change.DROP, Change.RENAME})
_MOST_NAMES = 10_000
_MOST_OF_ONE = 1_000
_DATES = re.compile(r"\d+(?:[-_]\d+)+|\d{4,}")


class JobNames:
    """Names the jobs of one application.

    What a job wrote last is in force: as one job, the second of two INSERTs into a table would end the lineage of the
    first, whose rows are still there. So the second gets a number. The same statement over again keeps its name, in a
    loop over days as well: dates and numbers in the names of its inputs do not count. What overwrites the dataset has
    the name without a number, whatever had it before, for nothing of that is left; what is added after it, in another
    way, has a number.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._known: Latest[tuple[str, ...], tuple[bytes, ...]] = Latest(len, most=_MOST_NAMES)

    def name(self, statement: Statement, stream_name: str | None = None) -> str:
        """The name of a statement's job; `stream_name` is that of the streaming query, if it has one."""
        name = self._application.statement_job(statement, stream_name)
        if statement.stream is not None or not any(map(self._fills, statement.writes)):
            return name
        lineage = blake2b(b"".join(fingerprint(written, self._undated) for written in statement.writes)).digest()[:16]
        key = (name, *(str(self._application.catalog.name(written.dataset)) for written in statement.writes))
        known = self._known.get(key) or ()
        if not any(map(self._adds, statement.writes)):
            known = (lineage, *known[1:])
        elif lineage not in known:
            known = (*known, lineage)[:_MOST_OF_ONE]
        self._known.keep(key, known)
        number = known.index(lineage) + 1 if lineage in known else _MOST_OF_ONE
        return self._application.statement_job(statement, stream_name, number)

    def _fills(self, written: Written) -> bool:
        """Whether a write puts rows into the dataset; ALTER already has a name for each column."""
        return written.fields is not None and written.change is not Change.ALTER

    def _adds(self, written: Written) -> bool:
        """Whether a write leaves what others wrote into the dataset."""
        whole = written.change in _REPLACING and not self._application.catalog.is_part(written.dataset)
        return self._fills(written) and not whole

    def _undated(self, dataset: Dataset) -> str:
        return _DATES.sub("#", str(self._application.catalog.name(dataset)))
