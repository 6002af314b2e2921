"""Options that the commands of `headwater datahub` share, and what they mean."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from headwater.cli.failures import NOT_UNDERSTOOD

if TYPE_CHECKING:
    from headwater.datahub.naming.datasets import Naming

EnvOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--env", metavar="NAME", help="The DataHub environment of all datasets and jobs, such as PROD or DEV."
    ),
]
InstanceOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--instance",
        metavar="NAMESPACE=NAME",
        help="The platform instance for the datasets of a namespace. Can be repeated.",
        show_default=False,
    ),
]


class LineageForm(str, Enum):
    """Where lineage is written."""

    JOBS = "jobs"
    DATASETS = "datasets"
    RFC = "rfc"


FormOption: TypeAlias = Annotated[
    LineageForm,
    typer.Option(
        "--as",
        metavar="jobs|datasets|rfc",
        help=(
            "Where to put the lineage: dataJobInputOutput of jobs, upstreamLineage of datasets, or the RFC's"
            " datasetUpstreamLineage."
        ),
    ),
]


@contextmanager
def naming_of(env: str, instances: list[str] | None) -> "Iterator[Naming]":
    """How URNs are made; what is wrong with them while it is used is said to the user."""
    from headwater.datahub.naming.datasets import naming_of as read  # noqa: PLC0415
    from headwater.fields.errors import DataHubError  # noqa: PLC0415

    try:
        yield read(env, instances or ())
    except DataHubError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(NOT_UNDERSTOOD) from error
