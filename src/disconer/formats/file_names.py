"""Ids of documents as names of files below a folder, brat's or Knowtator's, and back."""

import re
from urllib.parse import quote, unquote

# What file systems or people stumble over in names, and folders that would be taken for files.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\xa0%\\:*?"<>|\u2028\u2029\ufeff]')
_FOLDER_LIKE_FILE = re.compile(r"\.(txt|ann|knowtator\.xml)\Z", re.IGNORECASE)


def file_name(identifier: str) -> str:
    """Make an id a path below a folder and nowhere else: what could lead out of it is percent-encoded.

    >>> file_name("ward 3/note.1"), file_name("../up"), file_name("a:b")
    ('ward 3/note.1', '%2E./up', 'a%3Ab')
    """
    encoded = _UNSAFE.sub(lambda match: quote(match[0], safe=""), identifier)
    *folders, name = encoded.split("/")
    if name == "" or "" in folders:
        folders, name = [], encoded.replace("/", "%2F")
    parts = (*(_FOLDER_LIKE_FILE.sub(r"%2E\1", folder) for folder in folders), name)
    return "/".join("%2E" + part[1:] if part.startswith(".") else part for part in parts)


def identifier_of(name: str) -> str:
    """Undo `file_name`; a name it would not have made is an id as it stands."""
    identifier = unquote(name)
    return identifier if file_name(identifier) == name else name
