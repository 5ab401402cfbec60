"""Write a model for machines without torch: ONNX, run by onnxruntime and numpy.

Examples:
  disconer export run/ fast/               the same mentions, in single precision
  disconer export run/ fast/ --int8        weights of eight bits: smaller, and twice as fast
  disconer predict fast/ notes/            what was exported is used like any other model

To export takes `pip install 'disconer[export]'`; to use what was exported takes `pip install 'disconer[onnx]'`.
"""

from argparse import ArgumentParser, Namespace

from disconer.cli.options import add_model_argument, add_quiet_option, as_path, tell
from disconer.exceptions import InputError
from disconer.foundation.extras import require_extra


def add_arguments(parser: ArgumentParser) -> None:
    add_model_argument(parser)
    parser.add_argument("output", metavar="OUT", type=as_path, help="a new folder")
    parser.add_argument("--int8", action="store_true", help="weights of eight bits")
    add_quiet_option(parser, "what was written")


def run(arguments: Namespace) -> None:
    with require_extra("export"):
        from disconer.runtime.export import export  # noqa: PLC0415 (torch takes seconds to import)
        from disconer.runtime.torch_engine import load_torch_engine  # noqa: PLC0415
        from disconer.storage.directory import find_model_directory, is_exported, read_card  # noqa: PLC0415
    path = find_model_directory(arguments.model)
    if is_exported(path):
        raise InputError("this model is exported already: name the one it was made from", path=path)
    if arguments.output.exists():
        raise InputError("this exists already: name another", path=arguments.output)
    export(load_torch_engine(path), arguments.output, read_card(path), arguments.int8)
    if not arguments.quiet:
        size = sum(file.stat().st_size for file in arguments.output.iterdir()) / 1e6
        tell(f"wrote {arguments.output}, {size:.0f} MB")
