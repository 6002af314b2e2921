"""Run the three days, then ask the store about a few columns."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from datetime import date, datetime, timezone
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from headwater.capture.jvm.java import ensure_java
from headwater.client.local import StoredLineage
from headwater.demo.calendar import DatedBackTransport, business_days
from headwater.demo.data import deliver
from headwater.demo.jobs import JOBS, Day
from headwater.query.privacy.tag_listing import set_field_tag
from headwater.render.text.pii import pii_lines
from headwater.render.text.tree import tree_lines
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, open_store

_APPLICATION = "food delivery"
_DAYS = 3
_MARK = ".headwater-demo"
_PERSONAL = ("landing/customers", "email")


class FolderInUse(Exception):  # noqa: N818 (a sentence for the user)
    """The demo's folder holds something that is not the demo's."""


def play(folder: Path, console: Console) -> None:
    """Run the demo in a folder, which is made anew, and print what the store says.

    Raises:
        FolderInUse: the folder holds something else.
        NoJava: there is no Java that Spark runs on.
    """
    store = run_days(folder, console)
    # The source says which of its columns is about persons; nobody says it of the warehouse.
    store.transact(lambda session: set_field_tag(session, *_PERSONAL, "PII", given=True))
    for part in answers(store):
        console.print(part)
    console.print(_next_commands(folder, *business_days(_today(), _DAYS)[-2:]), soft_wrap=True)


def run_days(folder: Path, console: Console) -> Store:
    """Run all jobs of all days, and return the store that holds their lineage."""
    _clear(folder)
    ensure_java()
    url = store_url(folder)
    today = _today()
    days = business_days(today, _DAYS)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("Starting Spark", total=_DAYS * len(JOBS))
        for number, day in enumerate(days, start=1):
            for job in _run_day(folder, url, day, back=(today - day).days, changed=number == _DAYS):
                progress.update(task, description=f"Day {number} of {_DAYS} ({day:%A}): {job}")
                progress.advance(task)
        progress.update(task, description=f"{_DAYS} days, {len(JOBS)} jobs a day, on Spark")
    return open_store(url)


def _today() -> date:
    return datetime.now(tz=timezone.utc).date()


def store_url(folder: Path) -> str:
    """Where the demo's lineage is."""
    return f"sqlite:///{folder / 'lineage.db'}"


def _run_day(folder: Path, url: str, day: date, *, back: int, changed: bool) -> Iterator[str]:
    from pyspark.sql import SparkSession  # noqa: PLC0415 (Java must be found first)

    import headwater  # noqa: PLC0415 (as a user would, in a job)

    deliver(folder / "landing", day)
    with as_file(files("headwater.capture") / "log4j2.properties") as logging:
        spark = (
            SparkSession.builder.master("local[2]")
            .appName(_APPLICATION)
            .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={logging.as_uri()}")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.headwater.namespace", "food_delivery")
            .config("spark.headwater.transport.type", f"{DatedBackTransport.__module__}.{DatedBackTransport.__name__}")
            .config("spark.headwater.transport.store", url)
            .config("spark.headwater.transport.days", str(back))
            .getOrCreate()
        )
        try:
            with headwater.track(spark):
                for job in JOBS:
                    job(Day(spark, folder, day, changed))
                    yield job.__name__
        finally:
            spark.stop()


def answers(store: Store) -> Iterator[RenderableType]:
    """The three answers, each under its question."""
    yield _question("Where does top_delivery_times.order_delivery_time come from?")
    lineage = StoredLineage(store)
    yield from tree_lines(lineage.upstream("warehouse/top_delivery_times", "order_delivery_time"), every=True)
    yield _question("What would a change to landing/orders.placed_on reach?")
    yield from tree_lines(lineage.downstream("landing/orders", "placed_on"), every=True)
    yield _question("Where did the customers' e-mail address go?")
    yield from pii_lines(lineage.pii(*_PERSONAL, direct=True))
    yield Text("")


def _question(text: str) -> Text:
    return Text(f"\n{text}\n", "bold underline")


def _next_commands(folder: Path, second: date, third: date) -> Text:
    url = store_url(folder)
    # After `make demo` the command is in .venv/bin, which nobody has put on PATH.
    command = "headwater" if shutil.which("headwater") else os.path.relpath(Path(sys.executable).parent / "headwater")
    served = ServerSettings()
    lines = (
        "Try next:",
        f"  {command} upstream --store {url} revenue_by_city revenue",
        f"  {command} downstream --store {url} landing/menus price --depth 2",
        f"  {command} upstream --store {url} top_delivery_times order_delivery_time --as-of {second}",
        f"  {command} diff --store {url} top_delivery_times --from {second} --to {third}",
        f"  {command} history --store {url} top_delivery_times order_delivery_time",
        f"  {command} pii --store {url} --as-of {second}",
        f"  {command} tags propagate --store {url} --dry-run",
        "",
        "See it in a browser:",
        f"  {command} serve --store {url}",
        *(f"  http://{served.host}:{served.port}{path}  {purpose}" for path, purpose in _pages(second, third)),
    )
    return Text("\n".join(lines))


def _pages(second: date, third: date) -> Iterator[tuple[str, str]]:
    """Addresses of the page that `headwater serve` shows, and what is to be seen there."""
    column = "dataset=top_delivery_times&column=order_delivery_time"
    lit = "selected=top_delivery_times&selected=order_delivery_time"
    yield "/", "the overview"
    yield f"/view/lineage?{column}&{lit}&direction=upstream&depth=all", "a column and its sources"
    yield (
        f"/view/time?{column}&compare-moments={second}&compare-moments={third}",
        "the second day compared with the third",
    )
    yield "/view/impact?dataset=landing/orders&column=placed_on", "what a change would reach"
    yield "/view/privacy?tag=PII", "where the e-mail address went"


def _clear(folder: Path) -> None:
    """Make the folder anew, if it is ours or not there."""
    mark = folder / _MARK
    if folder.exists() and any(folder.iterdir()) and not mark.exists():
        raise FolderInUse(f"The folder {folder} already contains other files: choose another with --folder.")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mark.touch()
