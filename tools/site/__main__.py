"""Build the site: `python -m tools.site [FOLDER]`, which is `site/` unless another is named; what is wrong fails it."""

import sys
from pathlib import Path

from tools.site.building import build

if __name__ == "__main__":
    sys.exit(build(Path(*sys.argv[1:2] or ["site"])))
