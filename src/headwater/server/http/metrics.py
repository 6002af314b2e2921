"""Metrics for Prometheus."""

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from headwater.server.settings.settings import METRICS_FOLDER

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)


class Metrics:
    """The metrics of one application. With several workers, a scrape of any returns the sum of all."""

    def __init__(self) -> None:
        own = CollectorRegistry()
        self._own = own
        self.requests = Histogram(
            "headwater_request_seconds",
            "Time to answer a request, by route and status.",
            ["method", "route", "status"],
            buckets=_SECONDS,
            registry=own,
        )
        events = Counter("headwater_events", "Events received, by result.", ["result"], registry=own)
        self.accepted = events.labels("accepted")
        self.duplicates = events.labels("duplicate")
        self.rejected = events.labels("rejected")
        self.ahead = Counter(
            "headwater_events_ahead", "Events received whose time lies ahead of the server's clock.", registry=own
        )
        self.refused = Counter(
            "headwater_refused_requests", "Requests rejected to stay within limits.", ["limit"], registry=own
        )
        self.queued = self._gauge("headwater_queued_events", "Events waiting to be written.")
        self.in_flight = self._gauge("headwater_bytes_in_flight", "Memory that request bodies take.")
        self.answers = self._gauge(
            "headwater_answer_bytes_in_flight", "Bytes of answers that clients have yet to read."
        )
        self.asking = self._gauge("headwater_questions_asked", "Questions running on the store.")
        self.waiting = self._gauge("headwater_questions_waiting", "Questions waiting for a connection.")
        self.cancelled = Counter(
            "headwater_questions_ended", "Questions cancelled before they finished.", ["reason"], registry=own
        )
        self.batches = Histogram(
            "headwater_batch_events", "Events written per transaction.", buckets=_SIZES, registry=own
        )
        self.commits = Histogram(
            "headwater_commit_seconds", "Time to commit a transaction to disk.", buckets=_SECONDS, registry=own
        )
        self.failures = Counter("headwater_failed_commits", "Transactions that the store refused.", registry=own)

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(name, words, registry=self._own, multiprocess_mode="livesum")

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        folder = os.environ.get(METRICS_FOLDER)
        if not folder:
            return generate_latest(self._own)
        _drop_ended_workers(Path(folder))
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def _drop_ended_workers(folder: Path) -> None:
    """Drop the gauges of workers that ended; their counters stay."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists() and Path("/proc").exists():
            mark_process_dead(int(pid), str(folder))  # type: ignore[no-untyped-call]
