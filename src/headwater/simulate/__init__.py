"""The OpenLineage events of a synthetic warehouse of any size, the same for the same seed."""

from headwater.simulate.history import History
from headwater.simulate.settings import BadSettings, Settings

__all__ = ["BadSettings", "History", "Settings"]
