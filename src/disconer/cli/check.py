"""List what looks wrong in an annotated corpus, one line each, and how often each rule found something.

Examples:
  disconer check train.jsonl
  disconer check train.jsonl dev.jsonl test.jsonl         and which sentences these share
  disconer check annotations/ --json findings.json        a brat folder, results for a program too
  disconer check train.jsonl --rules blank-edge,duplicate --strict

The lines and the JSON file hold text of the corpus. docs/how-to/checking.md explains the rules.
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from disconer.checking import RULES, CheckedCorpus, Finding, check
from disconer.cli.options import (
    add_input_options,
    add_json_option,
    add_quiet_option,
    as_path,
    as_positive,
    watch,
    write_json,
)
from disconer.cli.tables import Rows, format_count, print_table
from disconer.document import Document
from disconer.exceptions import InputError, RunError, quote
from disconer.formats import brat, count_documents, detect_input, read
from disconer.foundation.characters import printable
from disconer.foundation.files import is_stream
from disconer.foundation.nearest import did_you_mean_one_of
from disconer.foundation.wording import count_of
from disconer.models.registry import SCHEMES


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", type=as_path, nargs="+", help="annotated files or folders")
    parser.add_argument(
        "--rules", type=_parse_rules, default=list(RULES), metavar="NAMES",
        help=f"apply these rules only, with commas between them: {', '.join(RULES)}",
    )  # fmt: skip
    parser.add_argument("--skip", type=_parse_rules, default=[], metavar="NAMES", help="do not apply these rules")
    parser.add_argument("--limit", type=as_positive, metavar="N", help="print no more than N lines a rule")
    parser.add_argument(
        "--scheme", choices=SCHEMES, default="grid", metavar="NAME",
        help=f"for not-expressible: which scheme, as in stats ({', '.join(SCHEMES)})",
    )  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="fail, with exit status 1, when anything is found")
    add_input_options(parser)
    add_json_option(parser)
    add_quiet_option(parser, "the table")


def run(arguments: Namespace) -> None:
    rules = [name for name in arguments.rules if name not in arguments.skip]
    if not rules:
        raise InputError("no rule is left: leave one out of --skip")
    files = _read_files(arguments)
    corpus = CheckedCorpus.of(files, SCHEMES[arguments.scheme]())
    findings = check(corpus, watch(rules, "checked", arguments, lambda: len(rules), noun="rule"))
    counts = _count_by_rule(rules, findings)
    places = _Places(arguments)
    listed = [finding.as_json() | places.as_json(finding) for finding in findings]
    write_json(arguments, {"scheme": arguments.scheme, "files": list(files), "counts": counts, "findings": listed})
    if arguments.json is None or not is_stream(arguments.json):
        _print_findings(arguments, findings, counts, places)
    if arguments.strict and findings:
        raise RunError(count_of(len(findings), "finding"))


def _read_files(arguments: Namespace) -> dict[str, Iterator[Document]]:
    """The documents of every file, by its name."""
    return {
        str(path): watch(
            read(path, arguments.input_format, arguments.split), f"read {path.name}:", arguments,
            partial(count_documents, path, arguments.input_format),
        )
        for path in arguments.data
    }  # fmt: skip


def _parse_rules(value: str) -> list[str]:
    names = value.split(",")
    for name in names:
        if name not in RULES:
            raise ArgumentTypeError(f"there is no rule {quote(name)}{did_you_mean_one_of(name, RULES)}")
    return list(dict.fromkeys(names))


def _count_by_rule(rules: Iterable[str], findings: Iterable[Finding]) -> dict[str, int]:
    counted = Counter(finding.rule for finding in findings)
    return {name: counted[name] for name in rules}


class _Places:
    """Where findings stand: of brat's files, in which line."""

    def __init__(self, arguments: Namespace) -> None:
        self._formats = {str(path): arguments.input_format for path in arguments.data}

    def name(self, finding: Finding) -> str:
        """Say where it is, as editors and people read it."""
        found, line = self._look_up(finding)
        if found is None:
            return finding.entry.place
        return str(found.path) if line is None else f"{found.path}:{line}: {finding.identifier}"

    def as_json(self, finding: Finding) -> dict[str, Any]:
        found, line = self._look_up(finding)
        return {"path": str(found.path) if found else finding.entry.file, "line": line, "id": finding.identifier}

    def _look_up(self, finding: Finding) -> tuple[brat.MentionLines | None, int | None]:
        """Look up the file of a document, if it has one of its own, and the line of the mention."""
        found = self._find_all(finding.entry.file).get(str(finding.document.id))
        line = None if found is None or finding.identifier is None else found.numbers.get(finding.identifier)
        return found, line

    @cache  # noqa: B019 (lives as long as the command)
    def _find_all(self, file: str) -> dict[str, brat.MentionLines]:
        is_brat = (self._formats[file] or detect_input(Path(file)).name) == "brat"
        return brat.locate(Path(file)) if is_brat else {}


def _print_findings(
    arguments: Namespace, findings: Sequence[Finding], counts: Mapping[str, int], places: _Places
) -> None:
    for finding in _limit(findings, arguments.limit or len(findings)):
        print(printable(finding.line(places.name(finding))))
    if not arguments.quiet:
        print_table(("findings",), _group_by_severity(counts))


def _group_by_severity(counts: Mapping[str, int]) -> dict[str, Rows]:
    """Lay counts out for people, by severity."""
    sections: dict[str, list[list[str]]] = defaultdict(list)
    for name, count in counts.items():
        sections[f"{RULES[name].severity}s"].append([name, format_count(count)])
    return {**sections}


def _limit(findings: Iterable[Finding], most: int) -> Iterator[Finding]:
    """Keep only the first findings of each rule."""
    printed: Counter[str] = Counter()
    for finding in findings:
        printed[finding.rule] += 1
        if printed[finding.rule] <= most:
            yield finding
