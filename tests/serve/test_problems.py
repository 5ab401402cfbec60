"""The codes of refusals."""

import re
from pathlib import Path

from fastapi.testclient import TestClient

ROOT = Path(__file__).parents[2]


def test_codes_are_the_same_in_the_code_the_reference_and_the_documentation(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    documented = set(schemas["ProblemDetails"]["properties"]["code"]["enum"])
    rows = re.findall(
        r"^\| \d{3} \| ([^|]+) \|", (ROOT / "docs" / "reference" / "http.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {code for row in rows for code in re.findall("`([a-z-]+)`", row)} == documented
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/disconer/serve").glob("*.py"))
    told = set(re.findall(r'\b(?:too_large|Problem)\(\s*(?:HTTPStatus\.\w+,\s*)?"([a-z-]+)"', sources))
    assert told <= documented
    assert len(told) > 8
