"""A program from a seed and a number."""

from __future__ import annotations

import random

from . import frames, writes
from .program import Program
from .sources import SOURCES, ddl
from .writer import Frame, Steps, Writer


def generate(seed: int, number: int) -> Program:
    """The program of a seed and a number."""
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 (it is not about secrets)
    w = Writer(rng)
    head = [
        f'spark.conf.set("spark.sql.adaptive.enabled", {w.chance(0.25)})',
        f'spark.conf.set("spark.sql.autoBroadcastJoinThreshold", {w.rng.choice([-1, 10_000_000])})',
    ]
    for table, cols in SOURCES.items():
        head.append(f'{table} = spark.read.schema("{ddl(table)}").json(f"{{root}}/src/{table}")')
        w.frames.append(Frame(table, {col.name: col.kind for col in cols}))
    for _ in range(rng.randint(2, 3)):
        for _ in range(rng.randint(1, 3)):
            _choose(w, frames.STEPS)
        _choose(w, writes.STEPS)
        w.written()
    return Program(seed, number, "\n".join(head), tuple(w.steps))


def _choose(w: Writer, steps: Steps) -> None:
    weights, functions = zip(*steps, strict=True)
    w.rng.choices(functions, weights)[0](w)
