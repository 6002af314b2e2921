"""Graphs in Marquez's format: nodes by id, each with its incoming and outgoing edges; pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from headwater.server.marquez.entities.values import Json

_HINT = (
    "The answer has the nearest nodes up to a limit. For the others, ask about one column (a nodeId of"
    " datasetField:namespace:name:field) or with a smaller depth, or raise the server's setting max_result_nodes."
)


def graph_json(
    nodes: Mapping[str, tuple[str, Json]], edges: Iterable[tuple[str, str]], *, partial: bool, reversed_in: bool = False
) -> Json:
    """Nodes (types and data, by id) with their edges; `partial` and `hint` are in the answer where a limit was reached.

    `reversed_in` writes the edges that end in a node from there to where they come from, as Marquez does for columns:
    its web app relies on it.

    >>> a, b = graph_json({"b": ("JOB", {}), "a": ("DATASET", {})}, [("a", "b")], partial=False)["graph"]
    >>> a["id"], a["outEdges"], b["inEdges"]
    ('a', [{'origin': 'a', 'destination': 'b'}], [{'origin': 'a', 'destination': 'b'}])
    """
    ending: defaultdict[str, list[Json]] = defaultdict(list)
    beginning: defaultdict[str, list[Json]] = defaultdict(list)
    for origin, destination in sorted(edges):
        edge = {"origin": origin, "destination": destination}
        beginning[origin].append(edge)
        ending[destination].append({"origin": destination, "destination": origin} if reversed_in else edge)
    graph = [
        {"id": key, "type": kind, "data": data, "inEdges": ending[key], "outEdges": beginning[key]}
        for key, (kind, data) in sorted(nodes.items())
    ]
    return {"graph": graph, "partial": True, "hint": _HINT} if partial else {"graph": graph}
