"""`disconer serve`: a process, its signals, and its errors."""

import json
import signal
import socket
import sys
from pathlib import Path

import httpx
import pytest

from disconer.cli import main
from tests.cli.calls import assert_one_line, run
from tests.serve.servers import process, received, request_bytes, wait_for_address


def test_it_answers_and_finishes_what_it_accepted(model_folder: Path) -> None:
    with process(f"first={model_folder}", f"second={model_folder}") as server:
        place = wait_for_address(server)
        url = "http://{}:{}".format(*place)
        models = httpx.get(f"{url}/v1/models").json()["models"]
        assert [model["name"] for model in models] == ["first", "second"]
        body = json.dumps({"texts": "Zyxwvut joint and back pain."}).encode()
        with socket.create_connection(place, timeout=30) as client:
            whole = request_bytes(body)
            client.sendall(whole[:-10])
            assert httpx.get(f"{url}/healthz").status_code == 200
            server.send_signal(signal.SIGTERM)
            client.sendall(whole[-10:])
            answer = received(client)
        assert answer.startswith(b"HTTP/1.1 200 OK")
        assert b'"entities"' in answer
        assert server.wait(30) == 0
        assert server.stderr
        lines = server.stderr.read().splitlines()
    assert lines[-1] == "stopped"
    requests = [json.loads(line) for line in lines[:-1]]
    assert [(request["route"], request["status"]) for request in requests] == [
        ("/v1/models", 200), ("/healthz", 200), ("/v1/extract", 200),
    ]  # fmt: skip
    assert "Zyxwvut" not in "\n".join(lines)


def test_a_port_that_is_taken_is_told(model_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("serve", model_folder, "--port", port)
    assert done.returncode == 1
    assert_one_line(done.stderr)
    assert f"cannot listen on 127.0.0.1, port {port}" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing"], "no such run"),
        (["MODEL", "MODEL"], "two models are called"),
        (["MODEL", "--port", "65536"], "port"),
        (["MODEL", "--batch-wait", "-1"], "milliseconds"),
        (["MODEL", "--max-texts", "0"], "above 0"),
        (["MODEL", "--allowed-host", "https://ner.example.org"], "no name of a host"),
        (["MODEL", "--api-key-file", "missing"], "missing"),
    ],
)
def test_a_call_that_is_wrong_is_one_line(
    model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], told: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    given = [str(model_folder) if argument == "MODEL" else argument for argument in arguments]
    with pytest.raises(SystemExit) as caught:  # argparse's way to refuse
        sys.exit(main(["serve", "--port", "0", *given]))
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert_one_line(error)
    assert told in error
