"""What a file is by the folders that it lies in: owners put the sets of a corpus into folders of their own."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath


def told_by_folder(name: str, meanings: Mapping[str, str]) -> str | None:
    """Give what the nearest folder says whose name holds one of the patterns; None when none does.

    >>> told_by_folder("Train/Test for NER/a.xml", {"train": "training", "test": "the test"})
    'the test'
    """
    for folder in PurePosixPath(name).parts[-2::-1]:
        for pattern, meaning in meanings.items():
            if re.search(pattern, folder, re.IGNORECASE):
                return meaning
    return None
