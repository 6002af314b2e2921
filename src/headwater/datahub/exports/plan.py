"""What to send: the aspects that changed since DataHub took them last, and those to take back.

An aspect that is no longer written is not just left out, since DataHub would go on showing it. Lineage of a dataset or
job that the store still has is sent empty. What left the store stays in DataHub, unless it is to be removed.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from headwater.datahub.aspects.lineage import job_io
from headwater.datahub.aspects.rest_proposals import Place, Proposal, proposal_of
from headwater.datahub.exports.proposals import Export
from headwater.datahub.imports.entity_state import JOB_IO, MAPPINGS, UPSTREAM

STATUS = "status"
# The values of aspects that are empty, or nothing special.
_EMPTY: Mapping[str, Any] = {
    UPSTREAM: {"upstreams": []},
    MAPPINGS: {"fieldMappings": []},
    JOB_IO: job_io((), (), ()),
    STATUS: {"removed": False},
}
_REMOVED = {"removed": True}
_REMOVABLE = ("urn:li:dataset:", "urn:li:dataJob:", "urn:li:dataFlow:")


@dataclass
class Plan:
    """The proposals to send, and what stays as it is.

    Attributes:
        proposals: aspects to send.
        unchanged: how many aspects DataHub has already.
        gone: URNs that were sent before and left the store; DataHub keeps them.
        stale: aspects that were sent before, are no longer written, and cannot be taken back.
    """

    proposals: list[Proposal] = field(default_factory=list)
    unchanged: int = 0
    gone: list[str] = field(default_factory=list)
    stale: list[Place] = field(default_factory=list)


def plan_of(export: Export, sent: Mapping[Place, bytes], *, full: bool = False, remove: bool = False) -> Plan:
    """What to send, given the digests of what DataHub took last.

    With `full`, unchanged aspects as well; with `remove`, what left the store is marked as removed.
    """
    plan = Plan()
    now: set[Place] = set()
    for record in export.records():
        proposal = proposal_of(record)
        now.add(proposal.place)
        if full or sent.get(proposal.place) != proposal.digest:
            plan.proposals.append(proposal)
        else:
            plan.unchanged += 1
    # An entity with a problem is neither gone nor empty.
    missing = [place for place in sent if place not in now and place.urn not in export.unsure]
    there = {place.urn for place in now}
    jobs = export.job_urns()
    gone = {place.urn for place in missing} - there - jobs
    _take_back(plan, export, sent, [place for place in missing if place.urn not in gone], there)
    for urn in sorted(gone):
        proposal = proposal_of(export.proposal(urn, STATUS, _REMOVED), last=True)
        if sent.get(proposal.place) == proposal.digest:
            continue
        if remove and urn.startswith(_REMOVABLE):
            plan.proposals.append(proposal)
        else:
            plan.gone.append(urn)
    return plan


def _take_back(
    plan: Plan, export: Export, sent: Mapping[Place, bytes], places: Iterable[Place], written: AbstractSet[str]
) -> None:
    """Empty the aspects that are no longer written, of entities that the store has."""
    for place in sorted(places):
        if (empty := _EMPTY.get(place.aspect)) is not None:
            proposal = proposal_of(export.proposal(*place, empty))
            if sent[place] != proposal.digest:
                plan.proposals.append(proposal)
        elif place.urn in written:
            plan.stale.append(place)
