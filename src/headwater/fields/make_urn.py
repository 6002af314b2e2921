"""The URNs that Headwater writes: platforms, datasets, fields, jobs, tags, terms and people.

>>> orders = dataset("kafka", "demo.orders")
>>> str(dataset_field(orders, "/restaurant"))
'urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),/restaurant)'
>>> str(schema_field(orders, "count(1)"))
'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:kafka,demo.orders,PROD),count%281%29)'
"""

from functools import lru_cache

from headwater.fields.errors import BadUrn
from headwater.fields.urn import AnyUrn, Urn, escape

# FabricType of DataHub.
ENVIRONMENTS = frozenset({
    "CORP", "DEV", "EI", "NON_PROD", "PRD", "PRE", "PROD", "QA", "RVW", "SANDBOX", "SBX", "SIT", "STG", "TEST", "TST",
    "UAT",
})  # fmt: skip
LONGEST_PATH = 500
"""The most characters of a datasetField's path."""
LONGEST_URN = 512
"""The most bytes of a URN; DataHub's server takes longer ones for fields only."""


def data_platform(name: str) -> Urn:
    """A platform: kafka, hive, s3."""
    return _make("dataPlatform", name)


def dataset(platform: str, name: str, env: str = "PROD", instance: str | None = None) -> Urn:
    """A dataset of a platform, in an environment; an instance of the platform goes before the name.

    >>> str(dataset("postgres", "shop.public.orders", "dev", "eu"))
    'urn:li:dataset:(urn:li:dataPlatform:postgres,eu.shop.public.orders,DEV)'
    """
    full = f"{instance}.{name}" if instance else name
    return _make("dataset", data_platform(platform), full, environment(env))


def dataset_field(of: AnyUrn, path: str) -> Urn:
    """A field as the RFC names it: the path begins with a slash.

    Raises:
        BadUrn: the path does not begin with a slash, or is longer than DataHub allows.
    """
    if not path.startswith("/"):
        raise BadUrn(f"The path {path!r} of a datasetField must begin with a slash, as in /header/customerId.")
    if len(path) > LONGEST_PATH:
        raise BadUrn(f"The path {path[:60]}… has {len(path)} characters: DataHub allows {LONGEST_PATH} at most.")
    return _make("datasetField", _urn(of, "dataset"), path)


def schema_field(of: AnyUrn, path: str) -> Urn:
    """A field as DataHub names it today: by a v1 or v2 path."""
    return _make("schemaField", _urn(of, None), path)


def data_flow(orchestrator: str, flow: str, cluster: str = "PROD") -> Urn:
    """A flow, which has jobs: a DAG, an application."""
    return _make("dataFlow", orchestrator, flow, cluster)


def data_job(flow: AnyUrn, job: str) -> Urn:
    """A job of a flow."""
    return _make("dataJob", _urn(flow, "dataFlow"), job)


def tag(name: str) -> Urn:
    """A tag."""
    return _make("tag", name)


def glossary_term(name: str) -> Urn:
    """A term of the glossary."""
    return _make("glossaryTerm", name)


def corp_user(name: str) -> Urn:
    """A person."""
    return _make("corpuser", name)


def environment(name: str) -> str:
    """An environment as DataHub writes it.

    >>> environment("dev")
    'DEV'

    Raises:
        BadUrn: DataHub has no such environment.
    """
    if name.upper() not in ENVIRONMENTS:
        raise BadUrn(f"{name!r} is not a DataHub environment: choose one of {', '.join(sorted(ENVIRONMENTS))}.")
    return name.upper()


def _urn(urn: AnyUrn, kind: str | None) -> Urn:
    return _read(str(urn), kind)


@lru_cache(maxsize=1024)  # the fields of a dataset come one after another
def _read(text: str, kind: str | None) -> Urn:
    return Urn.parse(text, kind)


def _make(kind: str, *parts: Urn | str) -> Urn:
    if not all(str(part) for part in parts):
        raise BadUrn(f"A part of the URN of a {kind} is empty: every part needs a name.")
    urn = Urn(kind, tuple(escape(part) if isinstance(part, str) else part for part in parts))
    if (
        kind not in {"datasetField", "schemaField"}
        and (length := len(str(urn).encode(errors="surrogatepass"))) > LONGEST_URN
    ):
        raise BadUrn(f"The URN {str(urn)[:60]}… has {length} bytes: DataHub allows {LONGEST_URN} at most.")
    return urn
