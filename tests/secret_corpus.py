"""Texts that hold a secret, in the forms in which other producers send them, and texts that only look so."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from typing import Any
from urllib.parse import quote
from uuid import UUID

S = "hunter2Zq9"
"""What stands in the place of each secret; the tests put others there."""

URLS = [
    f"postgresql://jane:{S}@db.example:5432/shop",
    f"postgres://jane:p@{S}@db.example:5432/shop",
    f"mysql://jane:p/{S}@db.example/shop",
    f"redis://:{S}@cache.example:6379/0",
    f"mongodb+srv://jane:{S}@cluster0.example.net/shop?retryWrites=true",
    f"mongodb://a:{S}@h1:27017,b:{S}@h2:27017/shop",
    f"amqp://jane:{S}@mq.example//vhost",
    f"s3a://AKID:{S}@bucket/orders",
    f"https://jane:{S}@git.example/org/repo.git",
    f"https://x-access-token:{S}@git.example/org/repo.git",
    f"snowflake://jane:{S}@org-account/db/schema?warehouse=wh",
    f"sftp://jane:{S}@files.example/in",
    f"jdbc:postgresql://db/shop?user=jane&password={S}&ssl=true",
    f"jdbc:mysql://jane:{S}@db:3306/shop",
    f"jdbc:mysql://address=(host=db)(port=3306)(user=jane)(password={S})/shop",
    f"jdbc:sqlserver://db:1433;databaseName=shop;user=jane;password={S};encrypt=true",
    f"jdbc:sqlserver://db:1433;user=jane;password={{{S}}};encrypt=true",
    f"jdbc:oracle:thin:scott/{S}@//db:1521/shop",
    f"jdbc:oracle:thin:scott/{S}@db:1521:shop",
    f"jdbc:oracle:oci:scott/p@{S}@shop",
    f"jdbc:snowflake://org.snowflakecomputing.com/?user=jane&password={S}&db=shop",
    f"jdbc:snowflake://org.snowflakecomputing.com/?user=jane&private_key_base64={S}",
    f"jdbc:redshift:iam://c.redshift.amazonaws.com:5439/d?AccessKeyID=x&SecretAccessKey={S}",
    f"jdbc:db2://db:50000/shop:user=jane;password={S};",
    f"jdbc:teradata://db/DATABASE=shop,USER=jane,PASSWORD={S}",
    f"jdbc:databricks://adb.example:443/default;AuthMech=3;UID=token;PWD={S}",
    f"jdbc:bigquery://https://www.googleapis.com/bigquery/v2:443;ProjectId=p;OAuthPvtKey={S}",
    f"jdbc:h2:mem:shop;USER=sa;PASSWORD={S}",
    f"https://acct.blob.core.windows.net/box/f.csv?sv=2024-01-01&se=2026-01-01&sr=b&sp=r&sig={S}%3D",
    f"wasbs://box@acct.blob.core.windows.net/orders?sas={S}",
    f"https://bucket.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature={S}",
    f"https://bucket.s3.amazonaws.com/k?X-Amz-Security-Token={S}&X-Amz-Expires=60",
    f"https://storage.googleapis.com/b/o?GoogleAccessId=x&Signature={S}",
    f"https://api.example/v1/orders?access_token={S}",
    f"https://api.example/v1/orders?api_key={S}&page=2",
    f"https://api.example/v1/orders?limit=5&apikey={S}",
    f"https://api.example/cb?refresh_token={S}#top",
    f"https://proxy.example/?target=jdbc%3Apostgresql%3A%2F%2Fjane%3A{S}%40db%2Fshop",
    f"https://proxy.example/?conf=user%3Djane%26password%3D{S}%26ssl%3Dtrue",
    f"jane:{S}@tcp(db.example:3306)/shop?parseTime=true",
    f"https://hooks.slack.com/services/T000{S}/B000/XXX",
    f"oracle+cx_oracle://scott:{S}@db:1521/?service_name=shop",
    f"https://discord.com/api/webhooks/1234/{S}",
]  # fmt: skip
SETTINGS = [
    f"password={S}", f"PASSWORD = '{S}'", f"pwd: {S}", f"passwd={S};", f"db_password={S}", f"DB_PASS={S}",
    f"PGPASSWORD={S} psql -h db", f"spark.hadoop.fs.s3a.secret.key={S}", f"spark.hadoop.fs.s3a.access.key -> {S}",
    f"spark.hadoop.fs.azure.account.key.acct.dfs.core.windows.net={S}==", f"client_secret={S}", f"clientSecret: {S}",
    f"AWS_SECRET_ACCESS_KEY={S}", f"aws_session_token = {S}", f"AWSAccessKeyId={S}", f"api-key: {S}", f"X-Api-Key: {S}",
    f"DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={S}==;EndpointSuffix=core.windows.net",
    f"Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={S}=",
    f"Server=db;Database=shop;User Id=sa;Password={S};Encrypt=yes", f"Account Key: {S}", f"private_key={S}",
    f"Authorization: Bearer {S}", f"authorization: Basic {S}==", f"curl -H 'Authorization: token {S}' https://x",
    f"Proxy-Authorization: Basic {S}", f"Cookie: {S}", f"fernet_key: {S}", f"encryption.key={S}", f"signing_key={S}",
    f"truststore.passphrase={S}", f"snowflake.private.key.passphrase={S}", f"jwt={S}", f"refreshToken={S}",
    f'sasl.jaas.config=PlainLoginModule required username="jane" password="{S}";',
    f"Map(user -> jane, password -> {S})", f"(spark.db.password={S})", f"--password {S}", f"--db-password={S} --x",
    f"psql --token '{S}'", f"curl -u jane:{S} https://x", f"mysql -ujane -p{S} shop", f"sshpass -p {S} ssh x",
    f"<password>{S}</password>", f"<property><name>a.password</name><value>{S}</value></property>",
    f'{{"password": "{S}"}}', f"{{'token': '{S}'}}", f'{{\\"secret\\": \\"{S}\\"}}', f'{{"a": {{"apiKey":"{S}"}}}}',
    f"password='it''s {S}'", f'password="a\\"{S}"', f"password='cut off {S}", f"The password is {S}.",
    f"-----BEGIN RSA PRIVATE KEY-----\n{S}\n{S}\n-----END RSA PRIVATE KEY-----",
    f"-----BEGIN PRIVATE KEY-----\\n{S}", f"-----BEGIN OPENSSH PRIVATE KEY-----{S}-----END OPENSSH PRIVATE KEY-----",
    f".option('password', '{S}')", f'.config("spark.x.secret", "{S}")', f'props.setProperty("password", "{S}")',
]  # fmt: skip
SQL = [
    f"CREATE USER jane IDENTIFIED BY '{S}'", f"CREATE USER jane IDENTIFIED BY {S} ACCOUNT LOCK",
    f"ALTER USER jane IDENTIFIED WITH mysql_native_password BY '{S}'", f"ALTER ROLE jane WITH ENCRYPTED PASSWORD '{S}'",
    f"SET PASSWORD FOR 'jane'@'%' = PASSWORD('{S}')", f"CREATE LOGIN jane WITH PASSWORD = N'{S}'",
    f"COPY t FROM 's3://b' CREDENTIALS 'aws_access_key_id=x;aws_secret_access_key={S}'",
    f"COPY INTO t FROM 's3://b' CREDENTIALS=(AWS_KEY_ID='x' AWS_SECRET_KEY='{S}')",
    f"COPY t FROM 's3://b' ACCESS_KEY_ID 'x' SECRET_ACCESS_KEY '{S}'",
    f"CREATE TABLE t USING jdbc OPTIONS (url 'jdbc:x', user 'u', password '{S}')",
    f'CREATE TABLE t USING jdbc OPTIONS (password "{S}")', f"SET fs.s3a.secret.key={S}",
    f"CREATE STAGE s CREDENTIALS=(AZURE_SAS_TOKEN='?sv=1&sig={S}')", f"CREATE SECRET s (TYPE s3, SECRET '{S}')",
    f"CREATE DATABASE SCOPED CREDENTIAL c WITH IDENTITY = 'SAS', SECRET = '{S}'",
    f"SELECT aes_encrypt(email, '{S}') FROM t", f"SELECT pgp_sym_decrypt(v::bytea, '{S}') FROM t",
    f"SELECT * FROM dblink('host=db user=jane password={S}', 'SELECT 1')",
    f"SELECT * FROM s3('https://x/f', 'k', 'v') SETTINGS s3_secret_key='{S}'",
    f"OPEN SYMMETRIC KEY k DECRYPTION BY PASSWORD = '{S}'",
]  # fmt: skip
# Secrets that are told by their form alone: each is one itself.
SHAPES = [
    "AKIAIOSFODNN7EXAMPLE", "ASIAY34FZKBOKMUTVV7A", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11AAAAAAA0abcdefghijkl_mnopqrstuvwx", "glpat-abcdefghij0123456789",
    "xoxb-123456789012-abcdefghijklmnop", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "AIzaSyA-1234567890abcdefghijklmnopqrstu",
    "dapi0123456789abcdef0123456789abcdef", "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "SG.abcdefghijklmnopqrstuv.wxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "sk-proj-abcdefghijklmnopqrstuvwx0123",
]  # fmt: skip
TEXTS = [*URLS, *SETTINGS, *SQL, *(f"use {shape} here" for shape in SHAPES)]

LOOKALIKES = [
    "password", "token", "secret_id", "users.password", "SELECT password, token FROM users",
    "SELECT u.token AS access_token FROM users u JOIN sessions s ON u.token = s.token",
    "UPDATE users SET password = new_password WHERE token_count = 5", "upper(password)", "sha2(password, 256)",
    "MERGE INTO t USING s ON t.secret = s.secret WHEN MATCHED THEN UPDATE SET t.password = s.password",
    "CASE WHEN password IS NULL THEN 'none' ELSE 'set' END", "length(password) > 8", "token > 5 AND token < 9",
    "password = sha2(password, 256)", "password=sha2(password, 256)", "coalesce(a.password, b.password)",
    "CREATE TABLE users (id INT, password VARCHAR(20), token STRING COMMENT 'of the session')",
    "struct<id:bigint,password:string,tokens:array<string>>", '{"password": "string", "token": "varchar"}',
    "The password of a user, hashed with bcrypt", "password: hashed with bcrypt, never in clear text",
    "Token: the token that a session begins with", "A password is required.", "The token is valid for 5 minutes",
    "password=${DB_PASSWORD}", "password={{ var.value.password }}", "password = :password", "WHERE password = ?",
    "password=%(password)s", "password=***", "password: [REDACTED]", "password = <your password>", "secret=xxxxxxxx",
    "token_count=512", "max_tokens: 2048", "tokenizer=bert-base", "password_length: 12", "primary_key=id",
    "partition_key: order_date", "key=value", "foreign key: orders.id", "basic training", "bearer token",
    "Basic authentication", "postgres://db.example:5432", "jdbc:oracle:thin:@//db:1521/shop", "s3://bucket/a@b/c",
    "abfss://container@account.dfs.core.windows.net/orders", "wasbs://box@acct.blob.core.windows.net/orders",
    "hdfs://nn:8020/orders", "https://example.com/a?page=2#b@c", "https://git@github.com/org/repo",
    "git@github.com:org/repo.git", "jane@example.com", "mailto:jane@example.com", "urn:li:corpuser:jane@example.com",
    "10:30@noon", "docker run -u 1000:1000 x", "design = 3", "assignment: done", "a = 1 AND b = 'x'",
    "CAST(token_count AS INT)", "https://openlineage.io/spec/1-0-0/OpenLineage.json#/definitions/RunEvent",
    "select('id', 'password', 'email')", 'df.select("password", "email")', 'col("password")', "passenger: jane",
    "compass=north", "hmac(email)", "aes_encrypt(email, key)", "author=jane", "authority: city", "monkey=banana",
    "keyboard: qwerty", "donkey:kong", "tokens.created_at", "has_password = true", "secretary=jane doe",
]  # fmt: skip
"""Texts that stay as they are."""


# --- events -----------------------------------------------------------------------------------------------------------

_PRODUCER = {"_producer": "https://airflow.example/openlineage", "_schemaURL": "https://airflow.example/facet.json"}


def event(number: int = 0) -> dict[str, Any]:
    """An event of another producer, without secrets; two of its columns are called `password` and `token`."""
    table = {"namespace": "postgres://db.example:5432", "name": f"shop.users_{number}"}
    return {
        "eventType": "COMPLETE",
        "eventTime": f"2026-01-{1 + number % 27:02}T00:00:00Z",
        "producer": "https://airflow.example/openlineage",
        "run": {"runId": str(UUID(int=number + 1, version=4)), "facets": {}},
        "job": {"namespace": "airflow", "name": f"daily_{number}", "facets": {}},
        "inputs": [{"namespace": "s3://landing", "name": f"users_{number}", "facets": {}, "inputFacets": {}}],
        "outputs": [
            {
                **table,
                "facets": {
                    "schema": {
                        **_PRODUCER,
                        "fields": [
                            {"name": "id", "type": "int", "description": "the key"},
                            {"name": "password", "type": "string"},
                            {"name": "token", "type": "string"},
                        ],
                    },
                    "columnLineage": {
                        **_PRODUCER,
                        "fields": {
                            name: {
                                "inputFields": [
                                    {
                                        "namespace": "s3://landing",
                                        "name": f"users_{number}",
                                        "field": name,
                                        "transformations": [
                                            {"type": "DIRECT", "subtype": "TRANSFORMATION", "description": f"f({name})"}
                                        ],
                                    }
                                ]
                            }
                            for name in ("id", "password", "token")
                        },
                    },
                },
                "outputFacets": {},
            }
        ],
    }


def _facet(**members: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return {**_PRODUCER, **members}


def _set(*path: str | int) -> Callable[[dict[str, Any], Any], None]:
    """Puts a value at a place of an event."""

    def put(held: Any, value: Any) -> None:  # noqa: ANN401  JSON
        for part in path[:-1]:
            held = held[part]
        held[path[-1]] = value

    return put


_RUN, _JOB, _OUT, _IN = ("run", "facets"), ("job", "facets"), ("outputs", 0, "facets"), ("inputs", 0, "facets")
_STEP = ("outputs", 0, "facets", "columnLineage", "fields", "id", "inputFields", 0, "transformations", 0)

PLACES: list[Callable[[dict[str, Any], str], None]] = [
    lambda held, text: _set(*_JOB, "sql")(held, _facet(query=text)),
    lambda held, text: _set(*_JOB, "documentation")(held, _facet(description=f"About this: {text}")),
    lambda held, text: _set(*_JOB, "sourceCode")(held, _facet(language="python", sourceCode=f"x = 1\n{text}\ny = 2")),
    lambda held, text: _set(*_JOB, "sourceCodeLocation")(held, _facet(type="git", url=text, repoUrl=text)),
    lambda held, text: _set(*_JOB, "ownership")(held, _facet(owners=[{"name": text, "type": "OWNER"}])),
    lambda held, text: _set(*_JOB, "airflow")(held, _facet(task={"args": {"bash_command": text, "n": [1, [text]]}})),
    lambda held, text: _set(*_JOB, "tags")(held, _facet(tags=[{"key": "k", "value": text, "source": text}])),
    lambda held, text: _set(*_RUN, "errorMessage")(
        held, _facet(message=text, programmingLanguage="PYTHON", stackTrace=f"Traceback:\n  at {text}\n  at x")
    ),
    lambda held, text: _set(*_RUN, "environmentVariables")(
        held, _facet(environmentVariables=[{"name": "CONNECTION", "value": text}])
    ),
    lambda held, text: _set(*_RUN, "spark_properties")(held, _facet(properties={"spark.x": text, text: True})),
    lambda held, text: _set(*_RUN, "parent")(
        held, _facet(run={"runId": str(UUID(int=9, version=4))}, job={"namespace": text, "name": f"parent {text}"})
    ),
    lambda held, text: _set(*_RUN, "debug")(held, _facet(logs=[text, {"deep": {"deeper": text}}])),
    _set("job", "namespace"),
    lambda held, text: _set("job", "name")(held, f"job {text}"),
    _set("producer"),
    _set("inputs", 0, "namespace"),
    _set("inputs", 0, "name"),
    lambda held, text: _set("inputs", 0, "inputFacets")(held, {"custom": _facet(read=text)}),
    lambda held, text: _set("outputs", 0, "outputFacets")(held, {"custom": _facet(written=text)}),
    _set("outputs", 0, "namespace"),
    _set("outputs", 0, "name"),
    lambda held, text: _set(*_OUT, "dataSource")(held, _facet(name=text, uri=text)),
    lambda held, text: _set(*_OUT, "documentation")(held, _facet(description=text)),
    lambda held, text: _set(*_OUT, "symlinks")(
        held, _facet(identifiers=[{"namespace": text, "name": "users", "type": "TABLE"}])
    ),
    _set(*_OUT, "schema", "fields", 0, "description"),
    _set(*_OUT, "schema", "fields", 0, "type"),
    lambda held, text: _set(*_OUT, "version")(held, _facet(datasetVersion=text)),
    lambda held, text: _set(*_OUT, "ownership")(held, _facet(owners=[{"name": text, "type": text}])),
    lambda held, text: _set(*_OUT, "storage")(held, _facet(storageLayer=text, fileFormat=text)),
    lambda held, text: _set(*_OUT, "lifecycleStateChange")(
        held,
        _facet(lifecycleStateChange="RENAME", previousIdentifier={"namespace": text, "name": "before"}),
    ),
    _set(*_STEP, "description"),
    lambda held, text: _set(*_IN, "catalog")(
        held, _facet(framework="x", type="x", name="x", warehouseUri=text, metadataUri=text)
    ),
]
"""Where an event may hold a text of somebody else."""

STRUCTURES: list[Callable[[str], dict[str, Any]]] = [
    lambda secret: {"password": secret},
    lambda secret: {"db": {"PASSWORD": secret, "user": "jane"}},
    lambda secret: {"properties": {"spark.hadoop.fs.s3a.secret.key": secret, "spark.app.name": "daily"}},
    lambda secret: {"properties": {"fs.azure.account.key.acct.dfs.core.windows.net": secret}},
    lambda secret: {"environmentVariables": [{"name": "DB_PASSWORD", "value": secret}]},
    lambda secret: {"settings": [{"key": "api.token", "value": secret}]},
    lambda secret: {"clientSecret": secret},
    lambda secret: {"headers": {"Authorization": f"Bearer {secret}", "X-Api-Key": secret}},
    lambda secret: {"args": ["--user", "jane", "--password", secret]},
    lambda secret: {"args": [f"--token={secret}"]},
    lambda secret: {"secrets": {"warehouse": secret, "lake": [secret]}},
    lambda secret: {"credentials": {"kind": "key", "value": secret, "private_key": secret}},
    lambda secret: {"passwords": [secret, secret]},
    lambda secret: {"json": f'{{"connection": {{"password": "{secret}"}}}}'},
    lambda secret: {"aws": {"aws_access_key_id": secret, "aws_secret_access_key": secret}},
    lambda secret: {"refresh_token": secret},
    lambda secret: {"pwd": secret},
    lambda secret: {"connection": {"extra": {"private_key_content": secret}}},
]
"""Objects whose names tell of a secret."""


def planted_events() -> tuple[list[dict[str, Any]], list[str]]:
    """Events with all texts of the corpus, each at several places and with a secret of its own; and the secrets."""
    events: list[dict[str, Any]] = []
    secrets = list(SHAPES)
    places = cycle(PLACES)
    for number, text in enumerate(TEXTS):
        secret = f"hunter{number:03}Zq"
        if S in text:
            secrets.append(secret)
        held = event(number)
        for _ in range(3):
            next(places)(held, text.replace(S, secret))
        events.append(held)
    for number, structure in enumerate(STRUCTURES, start=len(events)):
        secret = f"hunter{number:03}Zq"
        secrets.append(secret)
        held = event(number)
        for facets in (held["run"]["facets"], held["job"]["facets"], held["outputs"][0]["facets"]):
            facets["custom"] = {**_PRODUCER, **structure(secret)}
        events.append(held)
    number = len(events)
    secret = f"hunter{number:03}Zq"
    secrets.append(secret)
    job_event, dataset_event = event(number), event(number + 1)
    del job_event["run"], job_event["eventType"]
    job_event["schemaURL"] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent"
    job_event["job"]["facets"]["sql"] = _facet(query=f"SET password='{secret}'")
    (dataset,) = dataset_event["outputs"]
    dataset["facets"]["custom"] = _facet(password=secret, url=f"https://jane:{secret}@db")
    url = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent"
    events += [job_event, {"eventTime": "2026-01-09T00:00:00Z", "dataset": dataset, "schemaURL": url}]
    return events, secrets


def seen_in(content: str | bytes, secrets: Iterable[str]) -> Iterator[str]:
    """The secrets that a text holds, also percent-encoded or in Base64."""
    text = content.decode(errors="replace") if isinstance(content, bytes) else content
    for secret in secrets:
        # Of Base64, what does not depend on where the secret begins.
        in_base64 = (base64.b64encode(b" " * shift + secret.encode()).decode()[4:-4] for shift in range(3))
        if secret in text or quote(secret, safe="") in text or any(form in text for form in in_base64):
            yield secret
