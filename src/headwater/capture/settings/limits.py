"""The limits of the capture: on time, memory and its queue."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.capture.settings.conf import Conf
from headwater.rules.plan.budget import EDGES, MEMORY, MILLIS

_BREAKERS = ("timeout", "simpleMemory", "javaRuntime", "asyncTaskQueue")
_SHARES = ("timeout.buildDatasetsTimePercentage", "timeout.facetsBuildingTimePercentage")


@dataclass(frozen=True)
class Limits:
    """The limits.

    Attributes:
        queue_length: how many messages may wait for Python before new ones are dropped.
        queue_chars: how many characters they may have in total.
        plan_millis: how long reading one plan may take.
        plan_chars: how many characters it may produce.
        statement_millis: how much CPU time the lineage of one statement may take.
        statement_edges: how many sources it may visit.
        statement_memory: how many bytes of memory it may take, approximately.
        application_millis: how long reading all plans may take; 0 is no limit.
        free_heap_percent: read no plans while less of the driver's heap is free; 0 is no limit.
        gc_percent: … and garbage collection takes a larger share of the time than this.
        check_millis: the interval over which that share is measured.
        flush_seconds: how long the end of tracking may wait for unsent events.
    """

    queue_length: int = 10_000
    queue_chars: int = 64_000_000
    plan_millis: int = 10_000
    plan_chars: int = 16_000_000
    statement_millis: int = MILLIS
    statement_edges: int = EDGES
    statement_memory: int = MEMORY
    application_millis: int = 0
    free_heap_percent: int = 0
    gc_percent: int = 0
    check_millis: int = 1000
    flush_seconds: int = 30


_DEFAULTS = Limits()


def limits(conf: Conf) -> Limits:
    """The limits; those that are not set come from the agent's circuit breaker.

    >>> breaker = {"spark.openlineage.circuitBreaker.type": "timeout"}
    >>> limits(Conf({**breaker, "spark.openlineage.circuitBreaker.timeoutInSeconds": "2"})).plan_millis
    2000
    """
    breaker = _breaker(conf)
    return Limits(
        queue_length=conf.number("queueLength", breaker.queue_length, least=1),
        queue_chars=conf.number("queueChars", breaker.queue_chars, least=1),
        plan_millis=conf.number("planMillis", breaker.plan_millis, least=1),
        plan_chars=conf.number("planChars", breaker.plan_chars, least=1),
        statement_millis=conf.number("statementMillis", breaker.statement_millis, least=1),
        statement_edges=conf.number("statementEdges", breaker.statement_edges, least=1),
        statement_memory=conf.number("statementMemory", breaker.statement_memory, least=1),
        application_millis=conf.number("applicationMillis", breaker.application_millis),
        free_heap_percent=conf.number("freeHeapPercent", breaker.free_heap_percent),
        gc_percent=conf.number("gcPercent", breaker.gc_percent),
        check_millis=breaker.check_millis,
        flush_seconds=conf.number("flushSeconds", breaker.flush_seconds),
    )


def _breaker(conf: Conf) -> Limits:
    """The limits equivalent to the agent's circuit breaker; its thresholds have the agent's defaults."""
    kind = conf.choice("circuitBreaker.type", _BREAKERS)
    by_memory, by_queue = kind in {"simpleMemory", "javaRuntime"}, kind == "asyncTaskQueue"
    free = conf.number("circuitBreaker.memoryThreshold", 20)
    gc = conf.number("circuitBreaker.gcCpuThreshold", 10)
    check = conf.number("circuitBreaker.circuitCheckIntervalInMillis", _DEFAULTS.check_millis, least=1)
    queue = conf.number("circuitBreaker.queueSize", _DEFAULTS.queue_length, least=1)
    flush = conf.number("circuitBreaker.shutdownTimeoutSeconds", _DEFAULTS.flush_seconds)
    seconds = conf.number_or_none("circuitBreaker.timeoutInSeconds", least=1)
    share = min(100, *(conf.number(key, 100, least=1) for key in _SHARES))
    return Limits(
        plan_millis=_DEFAULTS.plan_millis if kind is None or seconds is None else seconds * 10 * share,
        free_heap_percent=free if by_memory else 0,
        gc_percent=gc if kind == "javaRuntime" else 0,
        check_millis=check,
        queue_length=queue if by_queue else _DEFAULTS.queue_length,
        flush_seconds=flush if by_queue else _DEFAULTS.flush_seconds,
    )
