"""A table in every form that people take it away in."""

from disconer.report.formats.comma_separated import as_csv
from disconer.report.formats.latex import as_latex
from disconer.report.formats.markdown import as_markdown

TABLE_FORMATS = {"csv": as_csv, "tex": as_latex, "md": as_markdown}
"""By the ending of a file's name."""
