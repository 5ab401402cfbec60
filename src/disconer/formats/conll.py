from pathlib import Path


def looks_like(path: Path) -> bool:
    return False
