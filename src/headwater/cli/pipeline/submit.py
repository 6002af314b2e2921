"""The pipeline's commands for spark-submit, which takes a file: `spark-submit $(headwater pipeline path) run …`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # spark-submit puts this file's folder first on the path, and modules of it have names that others use as well.
    home = Path(__file__).resolve()
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != home.parent]
    sys.path.append(str(home.parents[3]))

    from headwater.cli.pipeline.commands import pipeline

    pipeline(prog_name="headwater pipeline")
