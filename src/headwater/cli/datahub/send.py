"""`headwater datahub send`."""

import time
from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.datahub.options import EnvOption, FormOption, InstanceOption, LineageForm, naming_of
from headwater.cli.failures import FAILED, NOT_UNDERSTOOD, exit_with, plain_errors
from headwater.cli.options import (
    STORE_DEFAULT,
    AsOfOption,
    DirectOption,
    OutputFormat,
    OutputOption,
    StoreOption,
    argument,
    option,
)
from headwater.cli.output import print_summary
from headwater.cli.progress import counting

if TYPE_CHECKING:
    from headwater.common.address import Address
    from headwater.datahub.exports.plan import Plan
    from headwater.datahub.exports.receipts import Sent
    from headwater.datahub.exports.send import Sending
    from headwater.datahub.naming.datasets import Naming


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """The options of a send."""

    form: LineageForm
    as_of: int | None
    direct: bool
    full: bool
    remove: bool
    dry_run: bool
    timeout: float
    state: Path | None
    store: str


@dataclass
class _Round:
    """The result of one send."""

    target: str
    dry_run: bool
    plan: "Plan"
    sending: "Sending"
    left_out: list[tuple[str, str]]
    failure: str = ""
    shown: Counter[str] = field(default_factory=Counter)

    def report(self, output: OutputFormat) -> bool:
        """Print the result; returns whether everything was sent."""
        for name, why in self.left_out:
            typer.echo(f"{name}: {why}", err=True)
        for item in self.sending.refused:
            typer.echo(f"DataHub refused {item.place.aspect} of {item.place.urn}: {item.reason}", err=True)
        for urn in self.plan.gone:
            typer.echo(f"{urn} is no longer in the store but stays in DataHub.", err=True)
        for place in self.plan.stale:
            typer.echo(f"{place.urn} no longer has {place.aspect} in the store but keeps it in DataHub.", err=True)
        if self.failure:
            typer.echo(self.failure, err=True)
        print_summary(output, self._sentence(), self._counts())
        return not (self.failure or self.sending.refused or self.left_out)

    def _sentence(self) -> str:
        verb = "would be sent" if self.dry_run else "sent"
        total = self.shown.total()
        parts = [f"{total} {'aspect' if total == 1 else 'aspects'} {verb} to {self.target}"]
        if self.shown:
            parts.append(": " + ", ".join(f"{count} {aspect}" for aspect, count in sorted(self.shown.items())))
        parts.append(f"; {self.plan.unchanged} unchanged")
        more = {"refused": len(self.sending.refused), "gone": len(self.plan.gone), "waiting": self._waiting}
        parts += [f", {count} {name}" for name, count in more.items() if count]
        return "".join(parts) + "."

    @property
    def _waiting(self) -> int:
        """How many aspects remain for the next send."""
        if self.dry_run:
            return 0
        return len(self.plan.proposals) - self.shown.total() - len(self.sending.refused)

    def _counts(self) -> dict[str, object]:
        return {
            "target": self.target,
            "dry_run": self.dry_run,
            "sent": Counter(dict(sorted(self.shown.items()))),
            "unchanged": self.plan.unchanged,
            "waiting": self._waiting,
            "refused": [{**item.place._asdict(), "reason": item.reason} for item in self.sending.refused],
            "gone": self.plan.gone,
            "stale": [place._asdict() for place in self.plan.stale],
            "left_out": len(self.left_out),
        }


def send(  # noqa: PLR0913  a command's options
    url: Annotated[
        str,
        argument(
            "URL",
            "The DataHub server (GMS), such as http://host:8080. Set its token in DATAHUB_GMS_TOKEN.",
            envvar="DATAHUB_GMS_URL",
        ),
    ],
    *,
    form: FormOption = LineageForm.JOBS,
    as_of: AsOfOption = None,
    direct: DirectOption = False,
    env: EnvOption = "PROD",
    instance: InstanceOption = None,
    full: Annotated[bool, typer.Option("--full", help="Send everything, including what has not changed.")] = False,
    remove: Annotated[
        bool,
        typer.Option("--remove", help="Mark entities as removed in DataHub when they are no longer in the store."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be sent, without sending it.")] = False,
    watch: Annotated[
        float | None,
        option(
            "--watch",
            "SECONDS",
            "Keep sending, pausing this long between rounds, until you stop it.",
            default=True,
            min=1,
        ),
    ] = None,
    timeout: Annotated[
        float,
        option(
            "--timeout", "SECONDS", "Give up after this long without DataHub accepting anything.", default=True, min=1
        ),
    ] = 120,
    state: Annotated[
        Path | None,
        option(
            "--state",
            "FILE",
            "The file that records what DataHub has accepted.",
            default="one file per store and URL, in your state directory",
            dir_okay=False,
        ),
    ] = None,
    output: OutputOption = OutputFormat.TEXT,
    store: StoreOption = STORE_DEFAULT,
) -> None:
    """Send the store's lineage to DataHub: everything that changed since the last time.

    Failed requests are retried, with pauses, until --timeout. Aspects that DataHub refuses are reported by URN and the
    rest is sent; the exit code is then 1.

    Example: headwater datahub send http://localhost:8080

    Example: headwater datahub send --as datasets --dry-run https://datahub.example/gms
    """
    # Here, not above: `--help` starts without it.
    from headwater.datahub.exports.gms import NotSent, gms_address  # noqa: PLC0415

    try:
        address = gms_address(url)
    except NotSent as error:
        raise exit_with(str(error), NOT_UNDERSTOOD) from error
    options = _Options(
        form=form,
        as_of=as_of,
        direct=direct,
        full=full,
        remove=remove,
        dry_run=dry_run,
        timeout=timeout,
        state=state,
        store=store,
    )
    well = True
    with naming_of(env, instance) as naming:
        try:
            well = _send_once(options, address, naming, output)
            while watch is not None:
                time.sleep(watch)
                well = _send_once(options, address, naming, output)
        except KeyboardInterrupt:
            if watch is None:
                raise
    if not well:
        raise typer.Exit(FAILED)


def _send_once(options: _Options, address: "Address", naming: "Naming", output: OutputFormat) -> bool:
    from headwater.cli.stores import existing_store  # noqa: PLC0415
    from headwater.datahub.exports.plan import plan_of  # noqa: PLC0415
    from headwater.datahub.exports.proposals import Form, export_of  # noqa: PLC0415
    from headwater.datahub.exports.receipts import BadState, default_path, open_sent  # noqa: PLC0415
    from headwater.datahub.exports.send import Sending  # noqa: PLC0415

    with plain_errors(), existing_store(options.store) as target:
        export = export_of(target, naming, at=options.as_of, form=Form(options.form.value), indirect=not options.direct)
        place = str(target.database)
    try:
        path = options.state or default_path(address.url, place)
        # A dry run creates no file.
        nothing = options.dry_run and not path.exists()
        with nullcontext() if nothing else open_sent(path, address.url, place) as sent:
            plan = plan_of(export, {} if sent is None else sent.all(), full=options.full, remove=options.remove)
            done = _Round(address.url, options.dry_run, plan, Sending(), export.problems)
            if sent is None or options.dry_run:
                done.shown.update(proposal.place.aspect for proposal in plan.proposals)
            else:
                _send(done, address, options.timeout, sent)
    except BadState as error:
        typer.echo(str(error), err=True)
        return False
    return done.report(output)


def _send(done: _Round, address: "Address", timeout: float, sent: "Sent") -> None:
    from headwater.datahub.exports.gms import Gms, NotSent  # noqa: PLC0415
    from headwater.datahub.exports.send import send_all  # noqa: PLC0415

    if not done.plan.proposals:
        return
    with closing(Gms(address, timeout)) as gms, counting("Sending") as progress:
        try:
            gms.check()
            send_all(done.plan.proposals, gms, sent, done.sending, progress)
        except NotSent as error:
            done.failure = str(error)
    done.shown = done.sending.accepted
