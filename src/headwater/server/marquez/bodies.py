"""Request bodies of Marquez's calls that write."""

from enum import Enum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from headwater.server.marquez.parameters import InstantText, UuidText


def _storable(text: str) -> str:
    """Refuse text that databases cannot store."""
    if "\x00" in text:
        raise ValueError("contains a NUL character")
    text.encode()
    return text


Text = Annotated[str, AfterValidator(_storable), Field(json_schema_extra={"pattern": "^[^\\u0000]*$"})]
NameText = Annotated[Text, StringConstraints(min_length=1)]


class _Body(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class DatasetType(str, Enum):
    """The type of a dataset."""

    DB_TABLE = "DB_TABLE"
    STREAM = "STREAM"


class JobType(str, Enum):
    """The type of a job."""

    BATCH = "BATCH"
    STREAM = "STREAM"
    SERVICE = "SERVICE"


class NamespaceBody(_Body):
    """The description of a namespace."""

    owner_name: NameText
    description: Text | None = None


class SourceBody(_Body):
    """The description of a source."""

    type: NameText
    connection_url: Text
    description: Text | None = None


class TagBody(_Body):
    """The description of a tag."""

    description: Text | None = None


class FieldBody(_Body):
    """A field of a dataset."""

    name: NameText
    type: Text | None = None
    tags: list[NameText] = Field(default_factory=list)
    description: Text | None = None


class DatasetBody(_Body):
    """A dataset to register."""

    type: DatasetType
    physical_name: NameText
    source_name: NameText
    fields: list[FieldBody] = Field(default_factory=list)
    tags: list[NameText] = Field(default_factory=list)
    description: Text | None = None
    run_id: NameText | None = None
    schema_location: Text | None = None


class NameBody(_Body):
    """A dataset that a job reads or writes."""

    namespace: NameText
    name: NameText


class JobBody(_Body):
    """A job to register."""

    type: JobType
    inputs: list[NameBody] = Field(default_factory=list)
    outputs: list[NameBody] = Field(default_factory=list)
    location: Text | None = None
    description: Text | None = None
    run_id: NameText | None = None
    tags: list[NameText] = Field(default_factory=list)
    context: dict[str, Text] = Field(default_factory=dict)


class RunBody(_Body):
    """A run to create."""

    id: UuidText | None = None
    nominal_start_time: InstantText | None = None
    nominal_end_time: InstantText | None = None
    args: dict[str, Text] = Field(default_factory=dict)
