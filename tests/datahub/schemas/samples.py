"""Schemas that several tests look at."""

from __future__ import annotations

import json

RFC = json.dumps(
    {
        "type": "record",
        "name": "Record1",
        "fields": [
            {"name": "foo1", "type": "int"},
            {
                "name": "foo2",
                "type": {
                    "type": "record",
                    "name": "Record2",
                    "fields": [{"name": "bar1", "type": "string"}, {"name": "bar2", "type": ["null", "int"]}],
                },
            },
        ],
    }
)
LONG_LIST = json.dumps(
    {
        "type": "record",
        "name": "LongList",
        "aliases": ["LinkedLongs"],
        "fields": [{"name": "value", "type": "long"}, {"name": "next", "type": ["null", "LongList"]}],
    }
)
PROTO = """
syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
message Order {
  string id = 1;
  repeated Line lines = 2;
  map<string, int64> counts = 3;
  oneof paid { string card = 4; bool cash = 5; }
  optional int32 table = 6;
  Order parent = 7;
  google.protobuf.Timestamp at = 8;
  message Line { string sku = 1; }
}
"""
