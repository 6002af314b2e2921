"""Tables behind JDBC, named by the address of their database.

Names are those of the OpenLineage agent (1.53.0), so that its users find their datasets again. It deviates from
the specification: SQL Server is `sqlserver://host[:port][/instance]`, not `mssql://`, and has no default port; DB2's
port is 6789. Several hosts stay in the namespace, each with its port.

Where the agent has no rule, or one that fails, these are ours:

- Redshift and Snowflake are named as in the specification: by cluster and region, by account. Snowflake's database and
  schema, which are parameters of the URL, are part of the name.
- A name with all its parts is not prefixed with the URL's database again.
- Quotes are not part of a name. Trino's `/catalog/schema` is `catalog.schema`. MariaDB is named like MySQL.
- A driver around a driver (`aws-wrapper:postgresql:`) is ignored. Derby is named by its URL, like H2 and SQLite.
- No host means localhost for PostgreSQL and MySQL, as in their drivers.
- Parameters and users are always dropped; if no host can be determined, the namespace is the scheme alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from headwater.openlineage.naming.jdbc_urls import Host, JdbcUrl, drivers, networked, oracle
from headwater.openlineage.naming.locations import Name, without_secrets

_PREFIX = "jdbc:"
_ANY_DEPTH = 99
_QUOTES = {'"': '"', "`": "`", "[": "]"}
_TWO_QUOTES = 2
_AWS_PARTS = 6
_SERVERS_IN_PARAMETERS = frozenset({"sqlserver", "teradata"})
# jdbc:redshift:iam://cluster:region/db
_IAM = re.compile(r"(?i)(?<=:iam://)([\w-]+):(?=[a-z]{2}-)")


class _Database(NamedTuple):
    """The naming rules of one kind of database.

    Attributes:
        scheme: the scheme of its namespaces.
        port: the default port.
        depth: how many parts a full name has.
        levels: the parameters for the parts above the table, in order, each with its synonyms; the path has them if
            there are no such parameters, and has the last of them if its parameter is missing.
        host: the default host.
    """

    scheme: str
    port: int | None = None
    depth: int = 3
    levels: tuple[tuple[str, ...], ...] = ()
    host: str | None = None


_DATABASES = {
    "postgresql": _Database("postgres", 5432, host="localhost"),
    "mysql": _Database("mysql", 3306, depth=2, host="localhost"),
    "mysql+srv": _Database("mysql", 3306, depth=2),
    "mariadb": _Database("mariadb", 3306, depth=2),
    "sqlserver": _Database("sqlserver", levels=(("databasename", "database"),)),
    "oracle": _Database("oracle", 1521),
    "redshift": _Database("redshift", 5439),
    "snowflake": _Database("snowflake", levels=(("db", "database"), ("schema",))),
    "bigquery": _Database("bigquery", levels=(("projectid",),)),
    "db2": _Database("db2", 6789),
    "teradata": _Database("teradata", 1025, depth=2, levels=(("database",),)),
    "trino": _Database("trino", 443),
    "presto": _Database("presto"),
    "clickhouse": _Database("clickhouse", 8123, depth=2),
    "ch": _Database("clickhouse", 8123, depth=2),
    "databricks": _Database("databricks", levels=(("conncatalog",), ("connschema",))),
    "crate": _Database("crate", 5432),
    "oceanbase": _Database("oceanbase", 2881, depth=2),
    "cassandra": _Database("cassandra", 9042, depth=2),
    "hive2": _Database("hive2", depth=2),
}
"""By the word in the URL; words around it (`jtds:sqlserver`, `mysql:replication`) only concern the driver."""


def is_jdbc(location: str) -> bool:
    """Whether a location is a JDBC URL."""
    return location[: len(_PREFIX)].lower() == _PREFIX


def from_jdbc(location: str, table: tuple[str, ...]) -> Name:
    """The name of a table, written in one to three parts, at a JDBC URL.

    >>> from_jdbc("jdbc:postgresql://db/shop?user=me", ("orders",)), from_jdbc("jdbc:mysql://db/shop", ("crm", "users"))
    (Name(namespace='postgres://db:5432', name='shop.orders'), Name(namespace='mysql://db:3306', name='crm.users'))
    >>> from_jdbc("jdbc:oracle:thin:me/hunter2@//db:1521/ORCL", ("SALES", "ORDERS"))
    Name(namespace='oracle://db:1521', name='ORCL.SALES.ORDERS')
    >>> from_jdbc("jdbc:sqlite:/tmp/shop.db", ('"orders"',))
    Name(namespace='sqlite:/tmp/shop.db', name='orders')
    """
    url = location[len(_PREFIX) :]
    words = drivers(url)
    database = next((_DATABASES[word] for word in words if word in _DATABASES), None)
    parts = [without_quotes(part) for part in table]
    if database is None:
        database = _Database(":".join(words), depth=_ANY_DEPTH)
        if not url.lower().startswith(f"{database.scheme}://"):
            return Name(_embedded(url), ".".join(parts))
    read = _read(url, database)
    above = _levels(read, database)[: max(database.depth - len(parts), 0)]
    return Name(_namespace(read, database), ".".join([*filter(None, above), *parts]))


def _read(url: str, database: _Database) -> JdbcUrl:
    if database.scheme == "oracle":
        return oracle(url)
    if database.scheme == "cassandra":
        return networked(url.replace("--", ","))
    if database.scheme == "redshift":
        return networked(_IAM.sub(r"\1.", url))
    return networked(url)


def _levels(url: JdbcUrl, database: _Database) -> tuple[str, ...]:
    if database.depth == _ANY_DEPTH:
        return ("/".join(url.path),)
    if not database.levels:
        return url.path
    parameters = [_parameter(url, *names) for names in database.levels]
    return (*parameters[:-1], parameters[-1] or "".join(url.path[:1]))


def _parameter(url: JdbcUrl, *names: str) -> str:
    return next((url.parameters[name] for name in names if name in url.parameters), "")


def _namespace(url: JdbcUrl, database: _Database) -> str:
    hosts = _with_parameters(url) if database.scheme in _SERVERS_IN_PARAMETERS else url.hosts
    if hosts == () and database.host is not None:
        hosts = (Host(database.host),)
    if not hosts:
        return database.scheme
    if database.scheme == "snowflake":
        return snowflake(hosts[0].name)
    if database.scheme == "redshift":
        hosts = tuple(host._replace(name=_cluster(host.name)) for host in hosts)
    servers = ",".join(_server(host, database.port) for host in hosts)
    instance = f"/{hosts[0].instance}" if hosts[0].instance else ""
    return f"{database.scheme}://{servers.lower()}{instance}"


def _server(host: Host, default: int | None) -> str:
    port = host.port or default
    return f"{host.name}:{port}" if port else host.name


def _with_parameters(url: JdbcUrl) -> tuple[Host, ...] | None:
    """The servers, with the ports and instances that SQL Server and Teradata have in parameters."""
    hosts = url.hosts
    if hosts == () and (name := _parameter(url, "servername", "server")):
        bare_ipv6 = name.count(":") > 1 and not name.startswith("[")
        hosts = networked(f"sqlserver://[{name}]" if bare_ipv6 else f"sqlserver://{name}").hosts
    if not hosts:
        return hosts
    port, instance = _parameter(url, "portnumber", "port", "dbs_port"), _parameter(url, "instancename", "instance")
    return tuple(Host(host.name, host.port or port, host.instance or instance) for host in hosts)


def _cluster(host: str) -> str:
    """Cluster and region of Amazon's `cluster.id.region.redshift.amazonaws.com`; any other host as it is."""
    parts = host.split(".")
    return f"{parts[0]}.{parts[2]}" if len(parts) == _AWS_PARTS and host.endswith(".amazonaws.com") else host


def snowflake(host: str) -> str:
    """The namespace of a Snowflake account, by its host.

    An old account locator without region or cloud gets the defaults of the OpenLineage agent.

    >>> snowflake("org-account.snowflakecomputing.com"), snowflake("xy12345.eu-west-1.snowflakecomputing.com")
    ('snowflake://org-account', 'snowflake://xy12345.eu-west-1.aws')
    """
    account, *place = host.partition(".snowflakecomputing.com")[0].split(".")
    if "-" not in account or place:
        place += ["us-west-1", "aws"][len(place) :]
    return f"snowflake://{'.'.join([account, *place])}"


def _embedded(url: str) -> str:
    """The namespace of a database in a file or in memory: its URL."""
    name = networked(url).parameters.get("databasename") if url.startswith("derby:;") else None
    return f"derby:{name}" if name else without_secrets(url)


def without_quotes(part: str) -> str:
    """A part of a name without the quotes of its dialect.

    >>> without_quotes('"a""b"'), without_quotes("[x]"), without_quotes("plain")
    ('a"b', 'x', 'plain')
    """
    closing = _QUOTES.get(part[:1])
    if closing is None or len(part) < _TWO_QUOTES or not part.endswith(closing):
        return part
    return part[1:-1].replace(closing * 2, closing)
