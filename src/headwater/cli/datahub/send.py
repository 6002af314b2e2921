"""`headwater datahub send`."""

import time
from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwater.cli.datahub.options import EnvOption, FormOption, InstanceOption, LineageForm, naming_of
from headwater.cli.failures import FAILED, NOT_UNDERSTOOD, said_to_the_user
from headwater.cli.options import STORE_DEFAULT, AsOfOption, DirectOption, OutputFormat, OutputOption, StoreOption
from headwater.cli.output import output_for
from headwater.cli.progress import counting

if TYPE_CHECKING:
    from headwater.common.address import Address
    from headwater.datahub.exports.plan import Plan
    from headwater.datahub.exports.receipts import Sent
    from headwater.datahub.exports.send import Sending
    from headwater.datahub.naming.datasets import Naming


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is sent, and how."""

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
    """What came of sending once."""

    target: str
    dry_run: bool
    plan: "Plan"
    sending: "Sending"
    left_out: list[tuple[str, str]]
    failure: str = ""
    shown: Counter[str] = field(default_factory=Counter)

    def report(self, output: OutputFormat) -> bool:
        """Say it; returns whether all is well."""
        for name, why in self.left_out:
            typer.echo(f"{name}: {why}", err=True)
        for one in self.sending.refused:
            typer.echo(f"DataHub refused {one.place.aspect} of {one.place.urn}: {one.reason}", err=True)
        for urn in self.plan.gone:
            typer.echo(f"{urn} is no longer in the store but stays in DataHub.", err=True)
        for place in self.plan.stale:
            typer.echo(f"{place.urn} no longer has {place.aspect} in the store but keeps it in DataHub.", err=True)
        if self.failure:
            typer.echo(self.failure, err=True)
        output_for(output).done(self._said(), self._counts(flat=output is OutputFormat.CSV))
        return not (self.failure or self.sending.refused or self.left_out)

    def _said(self) -> str:
        verb = "would be sent" if self.dry_run else "sent"
        total = self.shown.total()
        said = [f"{total} {'aspect' if total == 1 else 'aspects'} {verb} to {self.target}"]
        if self.shown:
            said.append(": " + ", ".join(f"{count} {aspect}" for aspect, count in sorted(self.shown.items())))
        said.append(f"; {self.plan.unchanged} unchanged")
        more = {"refused": len(self.sending.refused), "gone": len(self.plan.gone), "waiting": self._waiting}
        said += [f", {count} {what}" for what, count in more.items() if count]
        return "".join(said) + "."

    @property
    def _waiting(self) -> int:
        """How many the next send has to send."""
        if self.dry_run:
            return 0
        return len(self.plan.proposals) - self.shown.total() - len(self.sending.refused)

    def _counts(self, *, flat: bool) -> dict[str, object]:
        refused = [{**one.place._asdict(), "reason": one.reason} for one in self.sending.refused]
        stale = [place._asdict() for place in self.plan.stale]
        return {
            "target": self.target,
            "dry_run": self.dry_run,
            "sent": self.shown.total() if flat else dict(sorted(self.shown.items())),
            "unchanged": self.plan.unchanged,
            "waiting": self._waiting,
            "refused": len(refused) if flat else refused,
            "gone": len(self.plan.gone) if flat else self.plan.gone,
            "stale": len(stale) if flat else stale,
            "left_out": len(self.left_out),
        }


def send(  # noqa: PLR0913  a command's options
    url: Annotated[
        str,
        typer.Argument(
            envvar="DATAHUB_GMS_URL",
            metavar="URL",
            help="The DataHub server (GMS), such as http://host:8080. Set its token in DATAHUB_GMS_TOKEN.",
            show_default=False,
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
        typer.Option(
            "--watch",
            min=1,
            metavar="SECONDS",
            help="Keep sending, pausing this long between rounds, until you stop it.",
        ),
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", min=1, metavar="SECONDS", help="Give up after this long without DataHub accepting anything."
        ),
    ] = 120,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="FILE",
            dir_okay=False,
            help="The file that records what DataHub has accepted.",
            show_default="one file per store and URL, in your state directory",
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
        typer.echo(str(error), err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
    asked = _Asked(
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
            well = _sent_once(asked, address, naming, output)
            while watch is not None:
                time.sleep(watch)
                well = _sent_once(asked, address, naming, output)
        except KeyboardInterrupt:
            if watch is None:
                raise
    if not well:
        raise typer.Exit(FAILED)


def _sent_once(asked: _Asked, address: "Address", naming: "Naming", output: OutputFormat) -> bool:
    from headwater.cli.stores import store_there  # noqa: PLC0415
    from headwater.datahub.exports.plan import plan_of  # noqa: PLC0415
    from headwater.datahub.exports.proposals import Form, export_of  # noqa: PLC0415
    from headwater.datahub.exports.receipts import BadState, default_path, open_sent  # noqa: PLC0415
    from headwater.datahub.exports.send import Sending  # noqa: PLC0415

    with said_to_the_user(), store_there(asked.store) as target:
        found = export_of(target, naming, at=asked.as_of, form=Form(asked.form.value), indirect=not asked.direct)
        place = str(target.database)
    try:
        path = asked.state or default_path(address.url, place)
        # Who only asks makes no file.
        nothing = asked.dry_run and not path.exists()
        with nullcontext() if nothing else open_sent(path, address.url, place) as sent:
            plan = plan_of(found, {} if sent is None else sent.all(), full=asked.full, remove=asked.remove)
            done = _Round(address.url, asked.dry_run, plan, Sending(), found.problems)
            if sent is None or asked.dry_run:
                done.shown.update(one.place.aspect for one in plan.proposals)
            else:
                _send(done, address, asked.timeout, sent)
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
