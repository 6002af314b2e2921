"""Tables behind JDBC. AS_THE_AGENT was checked against the OpenLineage agent, 1.53.0; OURS is where we part from it."""

from __future__ import annotations

import pytest

from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.tree import Dataset

AS_THE_AGENT = [
    ("jdbc:postgresql://h/db", "t", "postgres://h:5432", "db.t"),
    ("jdbc:postgresql://h:5433/db", "s.t", "postgres://h:5433", "db.s.t"),
    ("jdbc:postgresql://me:pw@h/db?user=x&password=y", "s.t", "postgres://h:5432", "db.s.t"),
    ("jdbc:postgresql://h1,h2:2/db?x=y", "s.t", "postgres://h1:5432,h2:2", "db.s.t"),
    ("jdbc:postgresql://[::1]/db", "t", "postgres://[::1]:5432", "db.t"),
    ("jdbc:postgresql://[::1]:5433/db", "t", "postgres://[::1]:5433", "db.t"),
    ("jdbc:postgresql://H.Example.COM/Db", "S.T", "postgres://h.example.com:5432", "Db.S.T"),
    ("JDBC:POSTGRESQL://H/DB", "t", "postgres://h:5432", "DB.t"),
    ("jdbc:postgresql://h", "t", "postgres://h:5432", "t"),
    ("jdbc:postgresql://h/my%20db", "t", "postgres://h:5432", "my db.t"),
    ("jdbc:mysql://h/db", "t", "mysql://h:3306", "db.t"),
    ("jdbc:mysql://h/db", "other.t", "mysql://h:3306", "other.t"),
    ("jdbc:mysql:replication://h1,h2/db", "t", "mysql://h1:3306,h2:3306", "db.t"),
    ("jdbc:mysql+srv://h/db", "t", "mysql://h:3306", "db.t"),
    ("jdbc:mariadb://h:3306/db", "t", "mariadb://h:3306", "db.t"),
    ("jdbc:sqlserver://h:1433;databaseName=db;user=u;password=p", "dbo.t", "sqlserver://h:1433", "db.dbo.t"),
    ("jdbc:sqlserver://h;database=db", "dbo.t", "sqlserver://h", "db.dbo.t"),
    (r"jdbc:sqlserver://h\inst:1433;database=db", "t", "sqlserver://h:1433/inst", "db.t"),
    ("jdbc:sqlserver://;serverName=h;portNumber=1433;databaseName=db", "t", "sqlserver://h:1433", "db.t"),
    ("jdbc:sqlserver://;serverName=3ffe::9;databaseName=db", "t", "sqlserver://[3ffe::9]", "db.t"),
    ("jdbc:jtds:sqlserver://h:1433/db;instance=i", "dbo.t", "sqlserver://h:1433/i", "db.dbo.t"),
    ("jdbc:oracle:thin:@//h:1521/svc", "s.t", "oracle://h:1521", "svc.s.t"),
    ("jdbc:oracle:thin:@h:1522:sid", "s.t", "oracle://h:1522", "sid.s.t"),
    ("jdbc:oracle:thin:u/p@w@h:1521:sid", "s.t", "oracle://h:1521", "sid.s.t"),
    ("jdbc:oracle:thin:@h/svc.example.com", "s.t", "oracle://h:1521", "svc.example.com.s.t"),
    ("jdbc:oracle:thin:@tcps://h:2484/svc?wallet_location=x", "s.t", "oracle://h:2484", "svc.s.t"),
    ("jdbc:oracle:thin:@tnsname?TNS_ADMIN=/x/y", "s.t", "oracle://tnsname:1521", "s.t"),
    ("jdbc:oracle:thin:@ldap://l:389/svc,cn=OracleContext,dc=com", "s.t", "oracle://l:389", "svc.s.t"),
    ("jdbc:oracle:oci:@h:1521:sid", "s.t", "oracle://h:1521", "sid.s.t"),
    ("jdbc:oracle:thin:@[::1]:1521/svc", "s.t", "oracle://[::1]:1521", "svc.s.t"),
    ("jdbc:oracle:thin:@h1:1521,h2:1522/svc", "s.t", "oracle://h1:1521,h2:1522", "svc.s.t"),
    (
        "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=h)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=svc)))",
        "s.t",
        "oracle://h:1521",
        "svc.s.t",
    ),
    (
        "jdbc:oracle:thin:@(description=(address_list=(address=(host=h1)(port=1))(address=(host=h2)))(connect_data=(sid=x)))",
        "s.t",
        "oracle://h1:1,h2:1521",
        "x.s.t",
    ),
    ("jdbc:db2://h:50000/db", "s.t", "db2://h:50000", "db.s.t"),
    ("jdbc:db2://h/db", "s.t", "db2://h:6789", "db.s.t"),
    ("jdbc:teradata://h/DATABASE=db,USER=u,PASSWORD=p", "t", "teradata://h:1025", "db.t"),
    ("jdbc:teradata://h/DBS_PORT=99", "db.t", "teradata://h:99", "db.t"),
    ("jdbc:trino://h:8080/cat", "s.t", "trino://h:8080", "cat.s.t"),
    ("jdbc:trino://h", "c.s.t", "trino://h:443", "c.s.t"),
    ("jdbc:presto://h:8080/cat", "s.t", "presto://h:8080", "cat.s.t"),
    ("jdbc:clickhouse://h:8124/db", "t", "clickhouse://h:8124", "db.t"),
    ("jdbc:clickhouse://h/db", "other.t", "clickhouse://h:8123", "other.t"),
    ("jdbc:ch:https://u:p@h:8443/db?ssl=true", "t", "clickhouse://h:8443", "db.t"),
    ("jdbc:cassandra://h1--h2:9043/ks", "t", "cassandra://h1:9042,h2:9043", "ks.t"),
    ("jdbc:crate://h/db", "s.t", "crate://h:5432", "db.s.t"),
    ("jdbc:oceanbase:hamode://h/db", "t", "oceanbase://h:2881", "db.t"),
    ("jdbc:redshift://warehouse:5439/db", "s.t", "redshift://warehouse:5439", "db.s.t"),
    ("jdbc:h2:mem:test", "t", "h2:mem:test", "t"),
    ("jdbc:h2:~/test;USER=sa;PASSWORD=p", "PUBLIC.t", "h2:~/test", "PUBLIC.t"),
    ("jdbc:sqlite:/tmp/x.db", "t", "sqlite:/tmp/x.db", "t"),
    ("jdbc:vertica://h:5433/db", "s.t", "vertica://h:5433", "db.s.t"),
    ("jdbc:foo://u@h/db", "t", "foo://h", "db.t"),
    ("jdbc:foo:bar", "t", "foo:bar", "t"),
]

OURS = [
    # Java's URI refuses these hosts, and the agent falls back to the whole URL.
    ("jdbc:postgresql://my_host/db", "t", "postgres://my_host:5432", "db.t"),
    ("jdbc:postgresql://h1,h2/my-db", "t", "postgres://h1:5432,h2:5432", "my-db.t"),
    ("jdbc:sqlserver://[::1]:1433;databaseName=db", "dbo.t", "sqlserver://[::1]:1433", "db.dbo.t"),
    ("jdbc:oracle:thin:@tns_name", "s.t", "oracle://tns_name:1521", "s.t"),
    ("jdbc:foo://u:p@h1,u:p@h2/db", "t", "foo://h1,h2", "db.t"),
    # The driver's default is this machine.
    ("jdbc:postgresql:db", "t", "postgres://localhost:5432", "db.t"),
    ("jdbc:postgresql:///db", "t", "postgres://localhost:5432", "db.t"),
    # MySQL's other ways to write hosts
    ("jdbc:mysql://address=(host=h1)(port=1)(user=u)/db", "t", "mysql://h1:1", "db.t"),
    ("jdbc:mysql://(host=h1,port=1),(host=h2,password=p)/db", "t", "mysql://h1:1,h2:3306", "db.t"),
    ("jdbc:mysql://u:p@[h1,h2]/db", "t", "mysql://h1:3306,h2:3306", "db.t"),
    ("jdbc:mysql://u:p,w@h1:1,u:p,w@h2/db", "t", "mysql://h1:1,h2:3306", "db.t"),
    ("jdbc:mariadb:loadbalance://h1,h2/db", "other.t", "mariadb://h1:3306,h2:3306", "other.t"),
    # A driver around the driver
    ("jdbc:aws-wrapper:postgresql://h/db", "t", "postgres://h:5432", "db.t"),
    ("jdbc:microsoft:sqlserver://h:1433;DatabaseName=db", "dbo.t", "sqlserver://h:1433", "db.dbo.t"),
    # What was written says it all already.
    ("jdbc:postgresql://h/db", "db.s.t", "postgres://h:5432", "db.s.t"),
    ("jdbc:sqlserver://h:1433;databaseName=db", "other.dbo.t", "sqlserver://h:1433", "other.dbo.t"),
    ("jdbc:teradata://h/DATABASE=db", "other.t", "teradata://h:1025", "other.t"),
    ("jdbc:trino://h:8080/cat/sch", "c.s.t", "trino://h:8080", "c.s.t"),
    # Catalog and schema in the path
    ("jdbc:trino://h:8080/cat/sch", "t", "trino://h:8080", "cat.sch.t"),
    ("jdbc:presto://h:8080/cat/sch", "t", "presto://h:8080", "cat.sch.t"),
    # As the specification has it
    ("jdbc:redshift://c.abc.us-east-1.redshift.amazonaws.com/db", "s.t", "redshift://c.us-east-1:5439", "db.s.t"),
    ("jdbc:redshift:iam://c:us-east-1/db", "s.t", "redshift://c.us-east-1:5439", "db.s.t"),
    ("jdbc:snowflake://org-acc.snowflakecomputing.com/?db=d&schema=s&user=u", "t", "snowflake://org-acc", "d.s.t"),
    ("jdbc:snowflake://org-acc.snowflakecomputing.com:443/?db=d&schema=s", "x.t", "snowflake://org-acc", "d.x.t"),
    # Parameters in the place of a path, which the agent copies with the password in them
    ("jdbc:db2://h:50000/db:user=u;password=p;", "s.t", "db2://h:50000", "db.s.t"),
    ("jdbc:databricks://h:443/default;httpPath=/sql/1;UID=token;PWD=p", "t", "databricks://h:443", "default.t"),
    ("jdbc:databricks://h:443;PWD=p@ss;ConnCatalog=main;ConnSchema=s", "t", "databricks://h:443", "main.s.t"),
    ("jdbc:hive2://h:10000/db;principal=x", "t", "hive2://h:10000", "db.t"),
    ("jdbc:bigquery://https://www.googleapis.com/bigquery/v2:443;ProjectId=p", "d.t", "bigquery", "p.d.t"),
    ("jdbc:sqlserver://h:1433;databaseName={my db};password={a;b}", "dbo.t", "sqlserver://h:1433", "my db.dbo.t"),
    ("jdbc:sqlserver://;serverName=h;port=1433", "t", "sqlserver://h:1433", "t"),
    ("jdbc:oracle:thin:@tcp://h:1521/svc:dedicated/inst", "s.t", "oracle://h:1521", "svc.s.t"),
    # Databases in files
    ("jdbc:derby:/tmp/x/db;create=true", "APP.t", "derby:/tmp/x/db", "APP.t"),
    ("jdbc:derby:;databaseName=/abs/db", "t", "derby:/abs/db", "t"),
    ("jdbc:derby://h:1527/db;user=u;password=p", "APP.t", "derby://h:1527", "db.APP.t"),
    ("jdbc:h2:tcp://h:9092/~/test", "PUBLIC.t", "h2:tcp://h:9092", "~/test.PUBLIC.t"),
    ("jdbc:sqlite::memory:", "t", "sqlite::memory:", "t"),
    ("jdbc:sqlite:/tmp//x@y.db", "t", "sqlite:/tmp//x@y.db", "t"),
    # No host to be made out: no part of the URL is safe to repeat.
    ("jdbc:postgresql://u:pa/ss@h/db", "t", "postgres", "t"),
    ("jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=h)", "s.t", "oracle", "s.t"),
    ("jdbc:awsathena://AwsRegion=us-east-1;S3OutputLocation=s3://b/x", "t", "awsathena", "t"),
]


@pytest.mark.parametrize(("url", "table", "namespace", "name"), [*AS_THE_AGENT, *OURS])
def test_a_table_is_named_by_its_databases_address(url: str, table: str, namespace: str, name: str) -> None:
    dataset = Dataset(url, tuple(table.split(".")), "jdbc")
    assert Catalog("file:/warehouse").name(dataset) == (namespace, name)
    assert Catalog("file:/warehouse").symlink(dataset) is None


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (("t",), "db.t"),
        (('"Schema"', '"my.table"'), "db.Schema.my.table"),
        (("`t`",), "db.t"),
        (("[dbo]", "[t]"), "db.dbo.t"),
        (('"a""b"',), 'db.a"b'),
        (('"',), 'db."'),
    ],
)
def test_quotes_are_no_part_of_a_name(table: tuple[str, ...], name: str) -> None:
    assert Catalog("file:/warehouse").name(Dataset("jdbc:postgresql://h/db", table)) == ("postgres://h:5432", name)
