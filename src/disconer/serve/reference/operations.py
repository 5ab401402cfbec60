"""The requests that an API answers: what each one takes, what comes back, and a command that sends it."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from disconer.drawing.marked_text import escaped
from disconer.serve.reference.examples import Examples, curl, filled_path, is_json, key_header, readable_json
from disconer.serve.reference.schemas import Schemas
from disconer.serve.reference.tables import Tables, table
from disconer.serve.reference.text import anchors, code, inline, prose

_METHOD_HUES = {"get": 2, "head": 2, "post": 0, "put": 4, "patch": 3, "delete": 1, "options": 7, "trace": 7}


@dataclass(frozen=True)
class Operation:
    """What can be done with a path, and where the page describes it; references to other parts are followed already."""

    method: str
    path: str
    anchor: str
    about: Mapping[str, Any]
    parameters: list[dict[str, Any]]
    bodies: Mapping[str, Any]
    responses: Mapping[str, dict[str, Any]]
    keys: list[dict[str, Any]]

    @property
    def title(self) -> str:
        """Give the method and the path, as HTML."""
        hue = _METHOD_HUES[self.method]
        return f'<span class="dn-method dn-hue-{hue}">{self.method.upper()}</span> {code(self.path)}'

    @property
    def group(self) -> str:
        """Give the heading that it stands under."""
        return str(next(iter(self.about.get("tags", ())), "Requests"))

    @property
    def good_contents(self) -> dict[str, Any]:
        """Give what comes back when all is well, by media type."""
        good = (own.get("content", {}) for status, own in self.responses.items() if status.startswith("2"))
        return next(good, {})


def operations(document: Mapping[str, Any], schemas: Schemas) -> Iterator[Operation]:
    """List everything that can be asked, in the order of the document."""
    found = [
        (method, path, item)
        for path, item in document.get("paths", {}).items()
        for method in item
        if method in _METHOD_HUES
    ]
    places = anchors((f"{method} {path}" for method, path, _ in found), "request")
    for method, path, item in found:
        about = item[method]
        given = (*item.get("parameters", ()), *about.get("parameters", ()))
        yield Operation(
            method, path, places[f"{method} {path}"], about,
            parameters=[schemas.resolved(one) for one in given],
            bodies=schemas.resolved(about.get("requestBody")).get("content", {}),
            responses={status: schemas.resolved(one) for status, one in sorted(about.get("responses", {}).items())},
            keys=_keys(document, about),
        )  # fmt: skip


def _keys(document: Mapping[str, Any], about: Mapping[str, Any]) -> list[dict[str, Any]]:
    schemes = document.get("components", {}).get("securitySchemes", {})
    needed = dict.fromkeys(name for one in about.get("security", document.get("security", ())) for name in one)
    return [schemes[name] for name in needed if name in schemes]


class Sections:
    """Describes operations, each in a section of the page."""

    def __init__(self, schemas: Schemas, tables: Tables) -> None:
        self._schemas = schemas
        self._tables = tables
        self._examples = Examples(schemas)

    def section(self, operation: Operation) -> str:
        """Describe an operation under its heading."""
        return (
            f'<section class="dn-box" id="{operation.anchor}">\n'
            f'<h3><a href="#{operation.anchor}">{operation.title}</a></h3>\n{self.body(operation)}</section>\n'
        )

    def body(self, operation: Operation) -> str:
        """Describe an operation."""
        about = operation.about
        parts = (
            f'<p class="dn-summary">{inline(about.get("summary", ""))}</p>\n',
            "<p><b>Deprecated.</b></p>\n" if about.get("deprecated") else "",
            prose(about.get("description", "")),
            '<p>This needs a <a href="#key">key</a>.</p>\n' if operation.keys else "",
            self._samples(operation),
            self._request(operation),
            self._answers(operation),
        )
        return "".join(parts)

    def _samples(self, operation: Operation) -> str:
        """Show a command that sends a request and, beside it, what comes back."""
        command = _sample("Ask", self._command(operation), ' class="dn-command"')
        answers = (own for media, own in operation.good_contents.items() if is_json(media))
        answer = next((readable_json(self._examples.of_content(own, whole=True)) for own in answers), "")
        return f'<div class="dn-samples">\n{command}{_sample("Answer", answer) if answer else ""}</div>\n'

    def _command(self, operation: Operation) -> str:
        values = [(one, self._examples.of_content(one, whole=False)) for one in operation.parameters]
        needed = [(one["name"], value) for one, value in values if one["in"] == "header" and one.get("required")]
        headers = [*map(key_header, operation.keys), *(shlex.quote(f"{name}: {value}") for name, value in needed)]
        bodies = ((media, self._examples.of_content(own, whole=False)) for media, own in operation.bodies.items())
        is_shown = any(is_json(media) or media.startswith("text/") for media in operation.good_contents)
        return curl(
            operation.method.upper(),
            filled_path(operation.path, values),
            headers,
            next(bodies, None),
            is_file=bool(operation.good_contents) and not is_shown,
        )

    def _request(self, operation: Operation) -> str:
        parameters = self._tables.parameters(operation.parameters)
        bodies = "".join(self._tables.content(*one, "Body") for one in operation.bodies.items())
        return "".join(
            f"<h4>{title}</h4>\n{told}" for title, told in (("Parameters", parameters), ("Body", bodies)) if told
        )

    def _answers(self, operation: Operation) -> str:
        contents = "".join(self._tables.content(*one, "Answer") for one in operation.good_contents.items())
        rows = [self._answer(*one) for one in operation.responses.items()]
        states = table("Status", "dn-fields dn-states", ("Status", "Meaning", "Holds"), rows)
        return (f"<h4>Answer</h4>\n{contents}" if contents else "") + f"<h4>Status</h4>\n{states}"

    def _answer(self, status: str, answer: Mapping[str, Any]) -> str:
        contents = answer.get("content", {}).items()
        holds = "<br>".join(self._tables.holds(media, own) for media, own in contents)
        headers = "".join(
            f"<br>{code(name)}: {inline(self._schemas.resolved(own).get('description', ''))}"
            for name, own in answer.get("headers", {}).items()
        )
        examples = "" if status.startswith("2") else self._error_examples(answer)
        return (
            f'<tr><th scope="row">{code(status)} <span class="dn-limits">{_phrase(status)}</span></th>'
            f"<td>{inline(answer.get('description', ''))}{headers}{examples}</td><td>{holds}</td></tr>\n"
        )

    def _error_examples(self, answer: Mapping[str, Any]) -> str:
        """Show what an answer looks like that is not the one hoped for, if the document has an example of it."""
        given = [own for own in answer.get("content", {}).values() if {"example", "examples"} & own.keys()]
        shown = "".join(
            f"<pre>{escaped(readable_json(self._examples.of_content(own, whole=True)))}</pre>" for own in given
        )
        return f"<details><summary>Example</summary>{shown}</details>" if shown else ""


def _sample(title: str, text: str, attributes: str = "") -> str:
    return f"<figure><figcaption>{title}</figcaption><pre{attributes}>{escaped(text)}</pre></figure>\n"


def _phrase(status: str) -> str:
    return HTTPStatus(int(status)).phrase if status in {str(own.value) for own in HTTPStatus} else ""
