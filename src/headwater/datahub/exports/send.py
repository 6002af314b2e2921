"""Sends proposals to a DataHub, batch by batch; each batch that it takes is recorded before the next goes."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from headwater.datahub.aspects.rest_proposals import Place, Proposal, in_batches
from headwater.datahub.exports.gms import Gms
from headwater.datahub.exports.receipts import Sent


@dataclass(frozen=True, slots=True)
class RefusedAspect:
    """An aspect that the server does not take, and its reason."""

    place: Place
    reason: str


@dataclass
class Sending:
    """The progress of sending.

    Attributes:
        accepted: how many aspects of each kind the server took.
        refused: those that it does not take.
    """

    accepted: Counter[str] = field(default_factory=Counter)
    refused: list[RefusedAspect] = field(default_factory=list)


def send_all(
    proposals: Sequence[Proposal], gms: Gms, sent: Sent, sending: Sending, progress: Callable[[int, int], None]
) -> None:
    """Send all; a batch that is refused is sent again in halves, down to the aspects at fault.

    Raises:
        NotSent: the server takes nothing any more; what it took until then is in `sending`, and recorded.
    """
    done = 0
    for batch in in_batches(proposals):
        waiting = [batch]
        while waiting:
            part = waiting.pop()
            why = gms.ingest(part)
            if why is None:
                sent.remember(part)
                sending.accepted.update(proposal.place.aspect for proposal in part)
            elif len(part) == 1:
                sending.refused.append(RefusedAspect(part[0].place, why))
            else:
                half = len(part) // 2
                waiting += [part[half:], part[:half]]
                continue
            done += len(part)
            progress(done, len(proposals))
