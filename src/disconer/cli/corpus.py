"""Build train.jsonl, dev.jsonl and test.jsonl of a public corpus from its download, as its owner ships it.

Examples:
  disconer corpus --list                                   every corpus, its licence and what to download
  disconer corpus cadec CADEC.v2.zip cadec/                ADR mentions, a sentence a line
  disconer corpus share13 downloads/ share13/ --split-dir lists/
  disconer corpus chia chia_without_scope.zip chia/ --types Condition,Drug --verbose

RAW is a zip or tar file, or a folder of files or of such archives; nothing is unpacked. What is skipped is counted, and
listed with --verbose. The figures are compared with the published ones. OUT must be a new or an empty folder.
"""

from argparse import ArgumentParser, Namespace

from disconer.cli.options import add_json_option, add_quiet_option, as_path, is_table_wanted, tell, watch, write_json
from disconer.cli.stats import build_sections
from disconer.cli.tables import fill, format_count, print_table
from disconer.corpora import NAMES, find_corpus
from disconer.corpora.building import BuiltCorpus, FigureDifference, build
from disconer.corpora.corpus import PublicCorpus, Request
from disconer.exceptions import InputError
from disconer.formats import write
from disconer.foundation.files import check_new_folder, create_folder, is_stream


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", choices=NAMES, help=f"one of {', '.join(NAMES)}")
    parser.add_argument("raw", metavar="RAW", nargs="?", type=as_path, help="the download: an archive or a folder")
    parser.add_argument("output", metavar="OUT", nargs="?", type=as_path, help="a new folder")
    parser.add_argument("--list", action="store_true", help="list the corpora, their licences and what to download")
    parser.add_argument("--types", metavar="A,B", help="labels to keep, or all; by default those the literature uses")
    parser.add_argument(
        "--split-dir", type=as_path, metavar="FOLDER",
        help="lists of the documents of each split, train.txt, dev.txt, test.txt, an id a line; what is in none stays "
        "where its owner put it",
    )  # fmt: skip
    parser.add_argument("--documents", action="store_true", help="keep documents whole instead of a sentence a line")
    parser.add_argument("--language", metavar="CODE", help="which language of a corpus that has several (parseme)")
    parser.add_argument("--verbose", action="store_true", help="list everything that was skipped or changed")
    add_json_option(parser)
    add_quiet_option(parser, "the statistics and what was written")


def run(arguments: Namespace) -> None:
    if arguments.list:
        print("\n\n".join(_describe(find_corpus(name)) for name in NAMES))
        return
    if arguments.output is None:
        raise InputError("name a corpus, its download and an output folder, or ask for --list")
    if is_stream(arguments.output):
        raise InputError("a corpus is a folder of files and cannot be written to standard output: name a folder")
    corpus = find_corpus(arguments.name)
    check_new_folder(arguments.output)
    built = build(corpus, arguments.raw, _build_request(arguments), lambda articles: watch(articles, "read", arguments))
    with create_folder(arguments.output) as folder:
        for split, documents in built.splits.items():
            write(documents, folder / f"{split}.jsonl")
        write_json(arguments, {"corpus": corpus.name, **built.as_json()})
    _print_summary(arguments, corpus, built)


def _build_request(arguments: Namespace) -> Request:
    types = None if arguments.types is None else tuple(name for name in arguments.types.split(",") if name)
    if types == ():
        raise InputError("--types names no label: write them with commas between, or all")
    return Request(types, arguments.split_dir, arguments.language, arguments.documents)


def _describe(corpus: PublicCorpus) -> str:
    types = "all" if corpus.default_types is None else ", ".join(corpus.default_types)
    lines = (
        f"{corpus.name}: {corpus.title}",
        f"  licence   {corpus.licence}",
        f"  from      {corpus.source}",
        f"  download  {corpus.files}",
        f"  types     {types}",
        f"  splits    {corpus.split}",
    )
    return "\n".join(fill(line, indent=" " * 12) for line in lines)


def _print_summary(arguments: Namespace, corpus: PublicCorpus, built: BuiltCorpus) -> None:
    if is_table_wanted(arguments):
        print_table(list(built.statistics), build_sections(list(built.as_json()["splits"].values())))
        if built.comparison:
            rows = {f"against {corpus.published_in}": [_build_row(difference) for difference in built.comparison]}
            print_table(("published", "here", "difference"), rows)
    if not arguments.quiet or arguments.verbose:
        for line in built.ledger.lines(arguments.verbose):
            tell(line)
    if not arguments.quiet:
        if built.other_types:
            others = ", ".join(f"{label} {count:,}" for label, count in built.other_types.most_common())
            tell(f"of other types, not asked for: {others}")
        tell(_summarize_comparison(corpus, built))
        tell(f"wrote {arguments.output}")


def _build_row(difference: FigureDifference) -> list[str]:
    change = difference.found - difference.published
    name = f"{difference.figure}, {difference.split}"
    return [
        name,
        format_count(difference.published),
        format_count(difference.found),
        f"{change:+,}" if change else "same",
    ]


def _summarize_comparison(corpus: PublicCorpus, built: BuiltCorpus) -> str:
    differing = [difference for difference in built.comparison if difference.found != difference.published]
    if not built.comparison:
        return "there are no published figures to compare these with"
    if not differing:
        return f"all figures are those of {corpus.published_in}"
    names = ", ".join(f"{difference.figure} ({difference.split})" for difference in differing)
    return f"these figures differ from {corpus.published_in}: {names}"
