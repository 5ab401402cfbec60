"""What a bug report should say about the machine: versions, told without importing what they are of."""

import platform
import re
import shutil
import sys
from collections.abc import Collection, Iterator
from importlib import metadata
from pathlib import Path

from disconer.encoders.settings import EMBEDDED_WHEEL
from disconer.foundation.extras import EXTRAS

_CORE = ("rich", "regex", "defusedxml", "argcomplete")
_BUILD = re.compile(r"^(cuda|hip)\b.*=\s*'(.+)'", re.MULTILINE)
"""What `torch/version.py` says it was built for."""


def describe_versions() -> str:
    """List what matters, a line each; the first names disconer."""
    rows = [("Python", platform.python_version()), ("platform", platform.platform())]
    packages = dict.fromkeys((*(package for own in EXTRAS.values() for package in own), *_CORE))
    found = {package: version for package in packages if (version := _find_version(package))}
    rows += [
        (package, f"{version}{_describe_torch_build() if package == 'torch' else ''}")
        for package, version in found.items()
    ]
    rows += _describe_extras(found)
    rows.append(("embedded encoder", f"{EMBEDDED_WHEEL} {_find_version(EMBEDDED_WHEEL) or 'is not installed'}"))
    width = max(len(name) for name, _ in rows)
    return "\n".join(
        (f"disconer {metadata.version('disconer')}", *(f"  {name:{width}}  {text}" for name, text in rows))
    )


def _find_version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _describe_extras(found: Collection[str]) -> Iterator[tuple[str, str]]:
    """Say which extras are there, and what the others lack."""
    lacking = {extra: [package for package in own if package not in found] for extra, own in EXTRAS.items()}
    there = [extra for extra, packages in lacking.items() if not packages]
    yield "extras", ", ".join(there) or "none"
    missing = [f"{extra} ({', '.join(packages)})" for extra, packages in lacking.items() if packages]
    if missing:
        yield "not installed", ", ".join(missing)


def _describe_torch_build() -> str:
    """Say what torch was built for, and whether there is something like it here."""
    try:
        text = Path(str(metadata.distribution("torch").locate_file("torch/version.py"))).read_text(encoding="utf-8")
    except OSError:
        return ""
    built = dict(_BUILD.findall(text))
    if "cuda" in built:
        driver = Path("/proc/driver/nvidia").exists() or shutil.which("nvidia-smi")
        return f", for CUDA {built['cuda']}, {'with' if driver else 'without'} a driver"
    if "hip" in built:
        return f", for ROCm {built['hip']}"
    return ", for MPS" if sys.platform == "darwin" and platform.machine() == "arm64" else ", for processors"
