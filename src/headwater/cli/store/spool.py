"""`headwater ingest --spool`: loads the events that ended processes left in a spool."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from headwater.cli.store.event_lines import EventLine, event_line
from headwater.openlineage.delivery.segments import Line, Segment
from headwater.openlineage.delivery.spool import default_directory, segment_paths

_BATCH = 500


def load_spool(
    directory: str,
    load: Callable[[str, Sequence[EventLine]], set[int]],
    reject: Callable[[str, int, str, str], None],
) -> int:
    """Load the events that wait in a spool and remove them from it; returns how many files live processes own.

    Args:
        directory: the spool, or the folder of one endpoint; empty is the user's own spool.
        load: stores lines durably, and returns the numbers of those it refused, which stay in the spool.
        reject: reports a file that cannot be read completely.

    Raises:
        OSError: the directory cannot be read.
    """
    owned = 0
    place = Path(directory) if directory else default_directory()
    for path in segment_paths(place) if directory or place.exists() else ():
        try:
            segment = Segment.claim(path)
            if segment is None:
                owned += path.exists()
            else:
                with closing(segment):
                    _load_segment(segment, load)
                if segment.damaged:
                    reject(str(path), 0, "", f"{segment.damaged} of its lines are truncated and lost")
        except OSError as error:  # noqa: PERF203  one file that cannot be read does not stop the others
            reject(str(path), 0, "", error.strerror or str(error))
    return owned


def _load_segment(segment: Segment, load: Callable[[str, Sequence[EventLine]], set[int]]) -> None:
    waiting = _waiting(segment)
    while batch := list(islice(waiting, _BATCH)):
        refused = load(str(segment.path), [event_line(line.number, line.text) for line in batch])
        for line in batch:
            if line.number not in refused:
                segment.done(line)


def _waiting(segment: Segment) -> Iterator[Line]:
    while (line := segment.take()) is not None:
        yield line
