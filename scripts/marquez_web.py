"""Build Marquez's web app from its sources, and look at every screen of it in front of this server.

`python scripts/marquez_web.py FOLDER`, with a checkout of https://github.com/MarquezProject/marquez. Standard library
only. The app's packages and what is built of them stay in the checkout, in `web/node_modules` and `web/dist`. Without a
checkout this says so and passes; where `HEADWATER_STRICT_SKIPS` is set, it fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from scripts import page


def app_in(folder: str) -> Path:
    """Return where the app is in a checkout, or raise a MissingError."""
    if not folder:
        raise page.MissingError("needs a checkout of Marquez: make marquez-web MARQUEZ=FOLDER")
    app = Path(folder).resolve() / "web"
    if not (app / "setupProxy.js").is_file():
        raise page.MissingError(f"needs a checkout of Marquez, and {folder} has no web/setupProxy.js")
    return app


def build(app: Path) -> None:
    """Build the app as its container does, unless that was done before."""
    command, environment = page.npm()
    # Scripts of packages are not needed: they would download browsers and compile what is there compiled.
    steps = {"node_modules": ["ci", "--silent", "--ignore-scripts"], "dist": ["run", "--silent", "build"]}
    for made, arguments in steps.items():
        if not (app / made).exists():
            print(f"Making {app / made} …", flush=True)
            if subprocess.run([command, *arguments], cwd=app, env=environment, check=False).returncode:
                raise page.MissingError(f"needs Marquez's web app, and npm {arguments[0]} fails in {app}")


def main() -> None:
    """Build the app and look at it."""
    try:
        app = app_in(sys.argv[1] if len(sys.argv) > 1 else "")
        page.need_chromium()
        build(app)
        page.run("run", "--silent", "e2e", HEADWATER_MARQUEZ=str(app))
    except page.MissingError as error:
        if os.environ.get("HEADWATER_STRICT_SKIPS"):
            raise SystemExit(f"Marquez's web app: {error}.") from error
        print(f"Skipped Marquez's web app: {error}.", flush=True)


if __name__ == "__main__":
    main()
