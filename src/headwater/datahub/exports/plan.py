"""What there is to send: what changed since DataHub took it last, and what is to be taken back.

An aspect that is no longer written is not just left out, since DataHub would go on showing it. Lineage of a dataset or
job that the store still has is sent empty. What left the store is left as it is, unless it is to be removed.
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
# What says that there is nothing, or nothing special.
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
    """What is sent, and what is not.

    Attributes:
        proposals: what is sent.
        unchanged: how many aspects DataHub has already.
        gone: URNs that were sent once and are no longer in the store; DataHub keeps them.
        stale: aspects of things that are there, which were sent once and cannot be taken back.
    """

    proposals: list[Proposal] = field(default_factory=list)
    unchanged: int = 0
    gone: list[str] = field(default_factory=list)
    stale: list[Place] = field(default_factory=list)


def plan_of(export: Export, sent: Mapping[Place, bytes], *, full: bool = False, remove: bool = False) -> Plan:
    """What there is to send.

    Args:
        export: all that the store says.
        sent: what DataHub took last.
        full: send what did not change as well.
        remove: mark what left the store as removed.
    """
    plan = Plan()
    now: set[Place] = set()
    for record in export.records():
        one = proposal_of(record)
        now.add(one.place)
        if full or sent.get(one.place) != one.digest:
            plan.proposals.append(one)
        else:
            plan.unchanged += 1
    # What could not be written now is neither gone nor empty.
    missing = [place for place in sent if place not in now and place.urn not in export.unsure]
    there = {place.urn for place in now}
    jobs = export.job_urns()
    gone = {place.urn for place in missing} - there - jobs
    _take_back(plan, export, sent, [place for place in missing if place.urn not in gone], there)
    for urn in sorted(gone):
        one = proposal_of(export.proposal(urn, STATUS, _REMOVED), last=True)
        if sent.get(one.place) == one.digest:
            continue
        if remove and urn.startswith(_REMOVABLE):
            plan.proposals.append(one)
        else:
            plan.gone.append(urn)
    return plan


def _take_back(
    plan: Plan, export: Export, sent: Mapping[Place, bytes], places: Iterable[Place], written: AbstractSet[str]
) -> None:
    """Empty what is no longer said of things that the store has."""
    for place in sorted(places):
        if (empty := _EMPTY.get(place.aspect)) is not None:
            one = proposal_of(export.proposal(*place, empty))
            if sent[place] != one.digest:
                plan.proposals.append(one)
        elif place.urn in written:
            plan.stale.append(place)
