"""Options that the commands of `headwater datahub` share."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeAlias

from headwater.cli.failures import NOT_UNDERSTOOD, exit_with
from headwater.cli.options import option

if TYPE_CHECKING:
    from headwater.datahub.naming.datasets import Naming

EnvOption: TypeAlias = Annotated[
    str, option("--env", "NAME", "The DataHub environment of all datasets and jobs, such as PROD or DEV.", default=True)
]
InstanceOption: TypeAlias = Annotated[
    list[str] | None,
    option("--instance", "NAMESPACE=NAME", "The platform instance for the datasets of a namespace. Can be repeated."),
]


class LineageForm(str, Enum):
    """The aspects that hold lineage."""

    JOBS = "jobs"
    DATASETS = "datasets"
    RFC = "rfc"


FormOption: TypeAlias = Annotated[
    LineageForm,
    option(
        "--as",
        "jobs|datasets|rfc",
        "Where to put the lineage: dataJobInputOutput of jobs, upstreamLineage of datasets, or the RFC's"
        " datasetUpstreamLineage.",
        default=True,
    ),
]


@contextmanager
def naming_of(env: str, instances: list[str] | None) -> "Iterator[Naming]":
    """The naming of URNs; reports DataHub errors inside the block to the user."""
    from headwater.datahub.naming.datasets import naming_of as read  # noqa: PLC0415
    from headwater.fields.errors import DataHubError  # noqa: PLC0415

    try:
        yield read(env, instances or ())
    except DataHubError as error:
        raise exit_with(str(error), NOT_UNDERSTOOD) from error
