"""Proposals to a DataHub, batch by batch; what it took is written down before the next batch goes."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from headwater.datahub.aspects.rest_proposals import Place, Proposal, in_batches
from headwater.datahub.exports.gms import Gms
from headwater.datahub.exports.receipts import Sent


@dataclass(frozen=True, slots=True)
class RefusedAspect:
    """An aspect that the server does not take, and its words."""

    place: Place
    reason: str


@dataclass
class Sending:
    """How far it is.

    Attributes:
        taken: how many aspects of each kind the server took.
        refused: those that it does not take.
    """

    taken: Counter[str] = field(default_factory=Counter)
    refused: list[RefusedAspect] = field(default_factory=list)


def send_all(
    proposals: Sequence[Proposal], gms: Gms, sent: Sent, sending: Sending, progress: Callable[[int, int], None]
) -> None:
    """Send all; a batch that is refused is sent again in halves, until it is known which aspects are meant.

    Raises:
        NotSent: the server takes nothing any more; what it took until then is in `sending`, and written down.
    """
    done = 0
    for batch in in_batches(proposals):
        waiting = [batch]
        while waiting:
            some = waiting.pop()
            why = gms.ingest(some)
            if why is None:
                sent.remember(some)
                sending.taken.update(one.place.aspect for one in some)
            elif len(some) == 1:
                sending.refused.append(RefusedAspect(some[0].place, why))
            else:
                half = len(some) // 2
                waiting += [some[half:], some[:half]]
                continue
            done += len(some)
            progress(done, len(proposals))
