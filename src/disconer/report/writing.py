"""A report as files: the page, and the same numbers as JSON, CSV, LaTeX, Markdown and plots."""

import json
from pathlib import Path

from disconer.exceptions import InputError
from disconer.formats.files import replacing_file, replacing_folder, swapping_folder
from disconer.report.contents import Contents
from disconer.report.formats import TABLE_FORMATS
from disconer.report.page import page


def write_page(contents: Contents, path: Path) -> None:
    with replacing_file(path) as stream:
        stream.writelines(page(contents))


def write_numbers(contents: Contents, path: Path) -> None:
    """Write everything but the errors as JSON; none of the data's text is in it."""
    with replacing_file(path) as stream:
        json.dump(contents.as_json(), stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def write_tables(contents: Contents, folder: Path) -> None:
    """Write every table in every format and every figure, a file each, into a new or an empty folder."""
    with replacing_folder(folder) as new:
        _fill(contents, new)


def replace_tables(contents: Contents, folder: Path) -> None:
    """Write the same in the place of what an earlier report wrote there."""
    check_replaceable(folder)
    with swapping_folder(folder) as new:
        _fill(contents, new)


def check_replaceable(folder: Path) -> None:
    """Raise when a folder has anything in it that no report wrote."""
    for path in folder.iterdir() if folder.is_dir() else ():
        is_figure = path.match("figure-*.svg")
        if not path.is_file() or not (is_figure or path.suffix.removeprefix(".") in TABLE_FORMATS):
            raise InputError("no report wrote this, and the next one would remove it: move it away", path=path)


def _fill(contents: Contents, folder: Path) -> None:
    for table in contents.tables:
        for ending, form in TABLE_FORMATS.items():
            with replacing_file(folder / f"{table.name}.{ending}") as stream:
                stream.write(form(table))
    for figure in contents.figures:
        with replacing_file(folder / f"figure-{figure.name}.svg") as stream:
            stream.write(figure.drawing)
