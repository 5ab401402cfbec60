"""Train systems × seeds × corpora as a file says, and write a report with every table and plot of the paper.

Examples:
  disconer study study.toml
  disconer study study.toml --jobs 2 --out results/        two trainings at a time

What is finished is skipped and what was cut off goes on: run the same command again. --example prints a file to begin
with. The report is OUT/report.html, its numbers OUT/report.json, every table and plot is in OUT/tables; the runs are in
OUT/runs. The page works offline and shows source text: mind who gets it.
"""

from argparse import ArgumentParser, Namespace

from disconer.cli.options import (
    add_model_options,
    add_quiet_option,
    as_path,
    as_positive,
    format_command_line,
    make_teller,
)
from disconer.exceptions import InputError, RunError
from disconer.foundation.extras import check_installed, require_extra

EXAMPLE = """\
title = "Mac and its ablations"
seeds = [1, 2, 3]
jobs = 1                              # trainings at a time

[corpora.sample]                      # paths are seen from this file's folder
train = "sample/train.jsonl"
dev = "sample/dev.jsonl"
test = "sample/test.jsonl"            # what the report is about; without it, dev

[settings.training]                   # settings of all systems, as in `disconer train --config`
epochs = 5

[systems.mac]
title = "Mac"

[systems.no-tags]
title = "– Tag B and S"
of = "mac"                            # a variant: mac's settings, and over them
scheme.tags = "one"

[systems.no-length]
title = "– Segment length embedding"
of = "mac"
mac.length_embedding = false

[systems.no-cln]
title = "– CLN mechanism"
of = "mac"
mac.pairs = "concatenation"

[systems.no-inner]
title = "– Segment inner representation"
of = "mac"
mac.inner = "none"

# Somebody else's system, by its predictions; a file a seed:
# [systems.theirs]
# title = "Theirs"
# predictions.sample = ["theirs.jsonl"]
"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("study", metavar="STUDY.toml", type=as_path, nargs="?", help="what to train and compare")
    parser.add_argument("--example", action="store_true", help="print a study to begin with, and do nothing else")
    parser.add_argument("--out", type=as_path, metavar="OUT", help="folder for runs and report, instead of the file's")
    parser.add_argument("--jobs", type=as_positive, metavar="N", help="trainings at a time, instead of the file's")
    add_model_options(parser)
    add_quiet_option(parser, "the progress and what was written")


def run(arguments: Namespace) -> None:
    if arguments.example:
        print(EXAMPLE, end="")
        return
    if arguments.study is None:
        raise InputError("name a study, or print one to begin with: disconer study --example > study.toml")
    with require_extra("report"):
        from disconer.study.plan import read_plan  # noqa: PLC0415 (numpy, which most commands do without)
        from disconer.study.study import PAGE, Study  # noqa: PLC0415
    plan = read_plan(arguments.study)
    settings = plan.settings
    study = Study(
        plan,
        arguments.out or plan.out,
        arguments.jobs or settings.jobs,
        arguments.threads or settings.threads,
        arguments.device,
        arguments.quiet,
    )
    if not all(job.is_finished for job in study.jobs):
        check_installed("torch")  # or every training would fail, one after the other
    say = make_teller(arguments.quiet)
    failed = study.train()
    study.write(study.report(say, format_command_line()))
    say(f"wrote {study.out / PAGE}")
    if failed:
        raise RunError(f"{len(failed)} of {len(study.jobs)} trainings failed: see {failed[0].log}")
