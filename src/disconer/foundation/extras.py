"""The parts of disconer that need more than its core, and what to install for them."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from disconer.exceptions import MissingExtraError

_TORCH = ("torch", "transformers", "tokenizers", "safetensors", "numpy", "huggingface_hub")
_ONNX = ("onnxruntime", "tokenizers", "safetensors", "numpy", "huggingface_hub")
EXTRAS: dict[str, tuple[str, ...]] = {
    "torch": _TORCH,
    "onnx": _ONNX,
    "export": (*dict.fromkeys((*_TORCH, *_ONNX)), "onnx", "onnxscript"),
    "report": ("numpy",),
    "elmo": (*_TORCH, "h5py"),
    "serve": ("fastapi", "fastapi_swagger", "starlette", "pydantic", "uvicorn", "h11", "prometheus_client"),
    "spacy": ("spacy",),
    "parquet": ("pyarrow",),
    "datasets": ("datasets", "pyarrow"),
}
"""Each extra and the packages it brings, by the names they are imported by, which pip takes too."""


@contextmanager
def require_extra(extra: str) -> Iterator[None]:
    """Turn the failure to import a package of an extra, or of what it needs, into a line that says what to install."""
    try:
        with warnings.catch_warnings():
            # Of libraries that would like ipywidgets in a notebook; our bar does without.
            warnings.filterwarnings("ignore", "IProgress not found")
            yield
    except ImportError as error:
        cause = _first_named(error)
        package = (cause.name or "").partition(".")[0]
        if package in ("", "disconer"):
            raise
        if isinstance(cause, ModuleNotFoundError) and cause.name == package:
            raise MissingExtraError(f"this needs {package}: {how_to_install(extra)}") from None
        message = f"this needs another version of {package}: {how_to_install(extra, package)}"
        raise MissingExtraError(message) from None


def how_to_install(extra: str, upgraded: str = "") -> str:
    """Say what installs an extra: in a checkout of disconer, the versions that it was tried with."""
    words = ["pip install"]
    if upgraded:
        words.append(f"--upgrade {upgraded}")
    is_checkout = Path("constraints.txt").is_file() and Path("src", "disconer").is_dir()
    words.append(f"-c constraints.txt '.[{extra}]'" if is_checkout else f"'disconer[{extra}]'")
    return " ".join(words)


def check_installed(extra: str) -> None:
    """Raise when a package of an extra is missing, without importing any."""
    with require_extra(extra):
        for package in EXTRAS[extra]:
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)


def _first_named(error: ImportError) -> ImportError:
    """Find the error that says what could not be imported: packages that import others late tell it in their words."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ImportError) and cause.name:
            return cause
        cause = cause.__cause__ or cause.__context__
    return error
