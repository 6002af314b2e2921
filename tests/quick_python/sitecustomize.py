"""Read by each Python that a test starts, Spark's workers among them: see headwater/lake/archives.py."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

# By its file: a worker may have no Headwater, and to import the package takes time.
_FILE = Path(__file__).parents[2] / "src" / "headwater" / "lake" / "archives.py"
_SPEC = spec_from_file_location("archives", _FILE)
if _SPEC and _SPEC.loader:
    _archives = module_from_spec(_SPEC)
    _SPEC.loader.exec_module(_archives)
    _archives.remember_archives()
