"""Serve models over HTTP, with a page to try them on.

Examples:
  disconer serve run/                                       the page is at http://127.0.0.1:8000/
  disconer serve fast/ --port 9000                          a model that `disconer export` wrote
  disconer serve old=runs/1 new=runs/2                      several by name, side by side on the page
  disconer serve run/ --host 0.0.0.0 --allowed-host ner.example.org --api-key-file keys.txt

  curl -s http://127.0.0.1:8000/v1/extract -H 'Content-Type: application/json' -d '{"texts": "Joint and back pain."}'

Only this machine can reach the server unless --host says otherwise. The API is documented at /docs; Label Studio and
brat ask below /label-studio/NAME and at /brat/NAME/tagger. Texts are neither kept nor logged. Serving takes `pip
install 'disconer[serve]'` beside what runs the model.
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from disconer.cli.options import add_model_options, add_quiet_option, as_path, as_positive, tell
from disconer.foundation.extras import require_extra
from disconer.serve.settings import Batching, Limits


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "models",
        metavar="MODEL",
        nargs="+",
        help="a run, a model directory, the name of a ready model or of one on the hub, or NAME= and one of these",
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="where to listen; 127.0.0.1 by default")
    parser.add_argument("--port", type=_as_port, default=8000, metavar="P", help="8000 by default; 0 takes a free one")
    parser.add_argument(
        "--api-key-file", type=as_path, metavar="FILE", help="keys, one a line, of which clients must send one"
    )
    parser.add_argument(
        "--allowed-host", action="append", default=[], metavar="NAME",
        help="a name by which this server is called, besides localhost and addresses; * for any; can be repeated",
    )  # fmt: skip
    _add_limits(parser)
    parser.add_argument(
        "--grace", type=as_positive, default=30, metavar="SECONDS",
        help="how long to finish what was accepted when the server is stopped; 30 by default",
    )  # fmt: skip
    add_model_options(parser)
    add_quiet_option(parser, "a line for every request")


def _add_limits(parser: ArgumentParser) -> None:
    """Add the limits; their defaults are those of `serve.settings`."""
    limits = parser.add_argument_group("limits, beyond which requests are refused")
    for option, metavar, default, what in (
        ("--max-body", "BYTES", Limits.body_bytes, "of a request"),
        ("--max-text", "CHARACTERS", Limits.text_characters, "of a text"),
        ("--max-words", "N", Limits.words, "of a text"),
        ("--max-texts", "N", Limits.texts, "of a request"),
        ("--max-waiting", "N", Limits.waiting, "requests at once"),
    ):
        limits.add_argument(
            option, type=as_positive, default=default, metavar=metavar, help=f"{what}; {default} by default"
        )  # fmt: skip
    batching = parser.add_argument_group("how texts of several requests are read together")
    wait = Batching.wait * 1000
    batching.add_argument(
        "--batch-wait", type=_as_milliseconds, default=wait, metavar="MS",
        help=f"how long a text may wait for company, in milliseconds; {wait:g} by default",
    )  # fmt: skip
    batching.add_argument(
        "--batch-texts", type=as_positive, default=Batching.texts, metavar="N",
        help=f"most texts together; {Batching.texts} by default",
    )  # fmt: skip


def run(arguments: Namespace) -> None:
    with require_extra("serve"):
        from disconer.serve import monitoring, server  # noqa: PLC0415 (the web's packages, which nothing else needs)
        from disconer.serve.access import Hosts, Keys, read_keys  # noqa: PLC0415
        from disconer.serve.app import create_app  # noqa: PLC0415
        from disconer.serve.catalogue import Catalogue  # noqa: PLC0415
    hosts = Hosts(name for name in (arguments.host, *arguments.allowed_host) if name)
    keys = Keys() if arguments.api_key_file is None else read_keys(arguments.api_key_file)
    if not keys and not server.is_loopback(arguments.host):
        tell("anybody who can reach this machine can use the server: --api-key-file limits that")
    with server.bind(arguments.host, arguments.port) as place:
        app = create_app(
            Catalogue.load(arguments.models, arguments.device, arguments.threads),
            Limits(
                arguments.max_body, arguments.max_text, arguments.max_words, arguments.max_texts, arguments.max_waiting
            ),
            Batching(arguments.batch_wait / 1000, arguments.batch_texts),
            keys,
            hosts,
        )
        monitoring.configure_log(arguments.quiet)
        here = server.address_of(place)
        server.serve(app, place, arguments.grace, lambda: tell(f"serving at {here} (Ctrl-C stops)"))
    tell("stopped")
    if app.state.service.batcher.is_predicting:
        server.leave(0)


def _as_port(value: str) -> int:
    if not value.isdecimal() or int(value) > 65_535:
        raise ArgumentTypeError(f"{value!r} is not a port, which is a whole number up to 65535")
    return int(value)


def _as_milliseconds(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 10_000:
        raise ArgumentTypeError(f"{value!r} is not a number of milliseconds from 0 to 10000")
    return number
