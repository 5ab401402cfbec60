"""The OpenAPI document against the server, by a tool that nobody here wrote."""

import subprocess
import sys
from pathlib import Path

from disconer.recognizer import Recognizer
from disconer.serve.app import create_app
from disconer.serve.catalogue import Catalogue
from disconer.serve.settings import Limits
from tests.serve.servers import listening

# A limit is a refusal like any other (413), and offsets must lie in their text, which no schema can say (422).
CONFIGURATION = """
[checks]
negative_data_rejection.expected-statuses = ["400", "404", "405", "413", "415", "422"]
positive_data_acceptance.expected-statuses = ["2xx", "404", "413", "422"]

[generation]
max-examples = 30

[[operations]]
include-path-regex = "^/(label-studio|brat)/"
generation.max-examples = 8
"""


def test_schemathesis_finds_nothing(recognizer: Recognizer, tmp_path: Path) -> None:
    configuration = tmp_path / "schemathesis.toml"
    configuration.write_text(CONFIGURATION)
    limits = Limits(body_bytes=20_000, text_characters=500, texts=8)
    with listening(create_app(Catalogue({"talkative": recognizer}), limits)) as url:
        done = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"), "--config-file", configuration, "run",
                f"{url}openapi.json", "--phases", "examples,coverage,fuzzing", "--seed", "1", "--no-color",
            ],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:]
    assert "13 selected / 13 total" in done.stdout
