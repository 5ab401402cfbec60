"""The parts of disconer that need more than its core, and what to install for them."""

from collections.abc import Iterator
from contextlib import contextmanager

from disconer.exceptions import MissingExtraError

_EXTRAS: dict[str, tuple[str, ...]] = {
    "onnx": ("onnxruntime", "tokenizers", "safetensors", "numpy", "huggingface_hub"),
    "torch": ("torch", "transformers", "tokenizers", "safetensors", "numpy", "huggingface_hub"),
}
"""Each extra and the packages it brings."""
_EXTRAS["report"] = ("numpy",)
_EXTRAS["spacy"] = ("spacy",)
_EXTRAS["parquet"] = ("pyarrow",)
_EXTRAS["datasets"] = ("datasets", "pyarrow")
_EXTRAS["serve"] = ("fastapi", "starlette", "pydantic", "uvicorn", "h11", "prometheus_client")
_EXTRAS["elmo"] = (*_EXTRAS["torch"], "h5py")
_EXTRAS["export"] = (*_EXTRAS["torch"], *_EXTRAS["onnx"], "onnx", "onnxscript")


@contextmanager
def installed(extra: str) -> Iterator[None]:
    """Turn the failure to import a package of an extra into a line that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package not in _EXTRAS[extra]:
            raise
        raise MissingExtraError(f"this needs {package}: pip install 'disconer[{extra}]'") from None
