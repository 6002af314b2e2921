"""The whole of a store by names: what two stores must agree on to be equal."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from headwater.store.db.dialects import column_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from headwater.store import Store
    from headwater.store.db.session import Session

Line: TypeAlias = "tuple[object, ...]"
View: TypeAlias = "dict[str, list[Line]]"

_ROWS = "(rows)"
_NUMBERS_OF_A_FIELD = 20  # bits
_KIND_OF_FIELDS = 1


class _Names:
    """What the keys of a store stand for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.dataset = self._pairs("SELECT id, namespace, name FROM dataset")
        # 0 is nobody's job: a dataset's own words.
        self.job = {0: "declared", **self._pairs("SELECT id, namespace, name FROM job")}
        self.run = {id_: bytes(uuid).hex() for id_, uuid in session.rows("SELECT id, uuid FROM run")}
        self.body = self._hashes("body")
        self.schema = self._hashes("schema")
        self.step = {row[0]: row[1:] for row in session.rows("SELECT id, type, subtype, masking FROM step")}
        self.term: dict[int, str] = dict(session.rows("SELECT id, word FROM term"))
        self.paths: dict[int, str] = dict(session.rows("SELECT id, path FROM field"))
        self.inputs = {
            id_: tuple(sorted(self.dataset[dataset] for dataset in datasets))
            for id_, datasets in self._groups("SELECT inputs, dataset FROM input").items()
        }
        self.mapping = {
            id_: (self.dataset[dataset], bytes(structure).hex(), bytes(text).hex(), self.dataset.get(origin), of)
            for id_, dataset, structure, text, origin, of in session.rows(
                "SELECT mapping.id, mapping.dataset, mapping.structure, mapping.text, mapping.origin, old.name"
                " FROM mapping LEFT JOIN mapping root ON root.id = mapping.root"
                " LEFT JOIN dataset old ON old.id = root.dataset"
            )
        }
        # A mapping under a new name that no write has any more says nothing, nor do fields that only it has. An
        # order of events may lead to some on the way.
        self.unused = {
            id_
            for (id_,) in session.rows(
                "SELECT id FROM mapping WHERE root IS NOT NULL"
                " AND id NOT IN (SELECT mapping FROM version WHERE mapping IS NOT NULL)"
            )
        }
        self.used_fields = {
            field
            for mapping, *fields in session.rows("SELECT mapping, out_field, in_field FROM edge")
            if mapping not in self.unused
            for field in fields
        } | {field for (field,) in session.rows("SELECT id FROM field WHERE type <> '' OR position IS NOT NULL")}
        self.shape = dict(self._shapes())

    def field(self, id_: int) -> tuple[object, object]:
        """A field by its dataset and path; number 0 is the dataset's rows."""
        dataset = id_ >> _NUMBERS_OF_A_FIELD
        rows = id_ == dataset << _NUMBERS_OF_A_FIELD
        return self.dataset[dataset], _ROWS if rows else self.paths[id_]

    def entity(self, kind: int, id_: int) -> object:
        """What a word or a note is about."""
        return (self.dataset.__getitem__, self.field, self.job.__getitem__)[kind](id_)

    def _pairs(self, statement: str) -> dict[int, str]:
        return {id_: f"{namespace} {name}" for id_, namespace, name in self._session.rows(statement)}

    def _hashes(self, table: str) -> dict[int, str]:
        return {id_: bytes(hashed).hex() for id_, hashed in self._session.rows(f"SELECT id, hash FROM {table}")}

    def _groups(self, statement: str) -> dict[int, list[Any]]:
        tables: dict[int, list[Any]] = defaultdict(list)
        for key, *values in self._session.rows(statement):
            tables[key].append(values[0] if len(values) == 1 else tuple(values))
        return tables

    def _shapes(self) -> Iterator[tuple[int, Line]]:
        """A shape is what it says: two of them that say the same are equal, whatever they are called."""
        symlinks = self._groups("SELECT shape, alias, physical FROM symlink")
        mentions = self._groups(
            "SELECT shape, role, dataset, said, mapping, schema, lifecycle, partial, renamed FROM mention"
        )
        stated = self._groups("SELECT shape, dataset, job, source FROM made_of")
        for id_, job, streaming in self._session.rows("SELECT id, job, streaming FROM shape"):
            mentioned = sorted(
                (role, self.dataset[dataset], said, self.mapping.get(mapping), self.schema.get(schema), *rest,
                 self.dataset.get(renamed))
                for role, dataset, said, mapping, schema, *rest, renamed in mentions.get(id_, ())
            )  # fmt: skip
            linked = sorted((self.dataset[alias], self.dataset[physical]) for alias, physical in symlinks.get(id_, ()))
            made_of = sorted(
                (self.dataset.get(dataset, ""), self.job.get(by, ""), self.dataset.get(source, ""))
                for dataset, by, source in stated.get(id_, ())
            )
            yield id_, (self.job[job], streaming, tuple(mentioned), tuple(linked), tuple(made_of))


def _lines(session: Session, names: _Names) -> Iterator[tuple[str, Iterable[Line]]]:
    """Each table with its rows, names in the place of keys."""
    dataset, job, run, mapping, shape = names.dataset, names.job, names.run, names.mapping, names.shape
    rows = session.rows
    yield (
        "dataset",
        (
            (namespace, name, key, tail, names.schema.get(schema))
            for namespace, name, key, tail, schema in rows("SELECT namespace, name, key, tail, schema FROM dataset")
        ),
    )
    yield (
        "field",
        (
            (*names.field(id_), dataset[owner], *rest)
            for id_, owner, *rest in rows("SELECT id, dataset, key, type, description, position FROM field")
            if id_ in names.used_fields
        ),
    )
    yield (
        "kin",
        (
            (names.field(field), names.field(other), how)
            for field, other, how in rows("SELECT field, other, how FROM kin")
            if {field, other} <= names.used_fields
        ),
    )
    yield "job", rows("SELECT namespace, name, key, tail FROM job")
    yield "body", ((hashed,) for hashed in names.body.values())
    yield "shape", shape.values()
    # In the shapes already; counted here, so that none belongs to a shape that is not there.
    yield "mention", rows("SELECT count(*) FROM mention")
    yield "symlink", rows("SELECT count(*) FROM symlink")
    yield "made_of", rows("SELECT count(*) FROM made_of")
    yield (
        "note",
        (
            (names.entity(2 * kind, entity), name, shape[of], content)
            for kind, entity, name, of, content in rows("SELECT kind, entity, name, shape, content FROM note")
        ),
    )
    yield "schema", ((hashed,) for hashed in names.schema.values())
    yield (
        "mapping",
        ((mapping[id_], stamp) for id_, stamp in rows("SELECT id, stamp FROM mapping") if id_ not in names.unused),
    )
    yield "step", names.step.values()
    yield (
        "edge",
        (
            (mapping[of], names.field(out), ordinal, names.field(in_), names.step[step], description)
            for of, out, ordinal, in_, step, description in rows(
                "SELECT mapping, out_field, ordinal, in_field, step, description FROM edge"
            )
            if of not in names.unused
        ),
    )
    yield (
        "event",
        (
            (hashed, kind, type_, us, run.get(of), shape[says], names.body.get(body), rest)
            for hashed, kind, type_, us, of, says, body, rest in rows(
                "SELECT hash, kind, type, us, run, shape, body, rest FROM event"
            )
        ),
    )
    yield (
        "run",
        (
            (run[id_], first, job.get(of), job_stamp, run.get(parent), *rest)
            for id_, first, of, job_stamp, parent, *rest in rows(
                "SELECT id, first_us, job, job_stamp, parent, parent_stamp, end_type, end_stamp, streaming FROM run"
            )
        ),
    )
    yield "stream_shape", ((run[of], shape[says]) for of, says in rows("SELECT run, shape FROM stream_shape"))
    yield (
        "named",
        (
            (run[of], role, dataset[place], *rest)
            for of, role, place, *rest in rows("SELECT run, role, dataset, us, stamp, version FROM named")
        ),
    )
    yield (
        "version",
        (
            (
                dataset.get(of),
                job[by],
                run.get(in_),
                mapping.get(maps),
                names.inputs.get(reads),
                dataset.get(other),
                *rest,
            )
            for of, by, in_, maps, reads, other, *rest in rows(
                "SELECT dataset, job, run, mapping, inputs, renamed, stamp, us, read_us, uuid, carried, lifecycle,"
                " whole, removal, name, name_key FROM version"
            )
        ),
    )
    yield (
        "slot",
        (
            (dataset.get(of), until, job[by], since, mapping.get(maps), names.inputs.get(reads))
            for of, until, by, since, maps, reads in rows(
                "SELECT dataset, until_us, job, from_us, mapping, inputs FROM slot"
            )
        ),
    )
    yield (
        "alias",
        (
            (dataset[of], until, since, dataset[physical])
            for of, until, since, physical in rows("SELECT dataset, until_us, from_us, physical FROM alias")
        ),
    )
    uses = [
        use
        for use in rows("SELECT term, kind, entity, what FROM term_use")
        if use[1] != _KIND_OF_FIELDS or use[2] in names.used_fields
    ]
    used = {term for term, *_ in uses}
    yield "term", ((word,) for term, word in names.term.items() if term in used)
    yield "gram", ((gram, names.term[term]) for gram, term in rows("SELECT gram, term FROM gram") if term in used)
    yield "term_use", ((names.term[term], names.entity(kind, entity), place) for term, kind, entity, place in uses)


# A set of inputs that nothing refers to any more says nothing; those in use are compared where they are used.
# Tokens, and what people say by hand, are no part of what events say.
_NOT_BY_ITSELF = {"meta", "inputs", "input", "token", "tag", "tagged", "hidden", "namespace", "source"}


@pytest.fixture(scope="session")
def natural_view() -> Callable[[Store], View]:
    """The function `view_by_names`, for tests that take it as they take stores."""
    return view_by_names


def view_by_names(store: Store) -> View:
    """All of a store, with names in the place of keys, sorted; the same for both databases."""
    with store.read() as session:
        tables = {table: sorted(map(_plain, lines), key=repr) for table, lines in _lines(session, _Names(session))}
    assert tables.keys() == column_types().keys() - _NOT_BY_ITSELF, "a table is not compared"
    return tables


def _plain(line: Iterable[object]) -> Line:
    return tuple(value.hex() if isinstance(value, bytes | memoryview) else value for value in line)
