"""The reference of the API as one page, made from its OpenAPI document: no script, and nothing from elsewhere."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from disconer.drawing.marked_text import escaped
from disconer.serve.reference.examples import shown_key
from disconer.serve.reference.operations import Operation, Sections, operations
from disconer.serve.reference.schemas import Schemas
from disconer.serve.reference.tables import Tables
from disconer.serve.reference.text import code, prose

_ADDRESS = """\
<section class="dn-box">
<p>The commands on this page take the server's address from a variable of the shell; behind a proxy it ends with the
proxy's own path:</p>
<pre class="dn-command">SERVER=http://127.0.0.1:8000</pre>
</section>
"""


def reference_page(openapi: dict[str, Any]) -> str:
    """Write the page."""
    schemas = Schemas(openapi)
    tables = Tables(schemas)
    sections = Sections(schemas, tables)
    asked = list(operations(openapi, schemas))
    parts = (
        _start(openapi["info"]),
        _navigation(asked, schemas),
        '<main id="contents">\n',
        _ADDRESS,
        _keys(openapi),
        *_groups(openapi, asked, sections),
        _other_schemas(schemas, tables),
        "</main>\n</body>\n</html>\n",
    )
    return "".join(parts)


def _start(about: Mapping[str, Any]) -> str:
    title = f"{escaped(about['title'])} {escaped(about['version'])}"
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>API of {title}</title>
<link rel="icon" type="image/svg+xml" href="assets/icon.svg">
<link rel="stylesheet" href="assets/drawing.css">
<link rel="stylesheet" href="assets/reference.css">
</head>
<body class="dn-page dn-reference">
<a class="dn-skip" href="#contents">Skip to the contents</a>
<header>
<p class="dn-notice"><a href="./">Try it</a> · <a href="openapi.json">OpenAPI document</a></p>
<h1>API of {title}</h1>
{prose(about.get("summary", ""))}{prose(about.get("description", ""))}</header>
"""


def _navigation(asked: Iterable[Operation], schemas: Schemas) -> str:
    requests = [f'<a href="#{operation.anchor}">{operation.title}</a>' for operation in asked]
    objects = [f'<a href="#{anchor}">{code(name)}</a>' for name, anchor in schemas.anchors.items()]
    lists = "".join(
        f"<h2>{title}</h2>\n<ul>{''.join(f'<li>{link}</li>' for link in links)}</ul>\n"
        for title, links in (("Requests", requests), ("Objects", objects))
        if links
    )
    return f'<nav class="dn-contents" aria-label="Contents">\n{lists}</nav>\n'


def _keys(openapi: Mapping[str, Any]) -> str:
    """Tell how a client shows who it is."""
    schemes = openapi.get("components", {}).get("securitySchemes", {}).values()
    told = "".join(f"<p>{code(shown_key(own))}</p>\n{prose(own.get('description', ''))}" for own in schemes)
    return f'<section class="dn-box" id="key">\n<h2>Key</h2>\n{told}</section>\n' if told else ""


def _groups(openapi: Mapping[str, Any], asked: list[Operation], sections: Sections) -> Iterator[str]:
    told = {tag["name"]: tag.get("description", "") for tag in openapi.get("tags", ())}
    for group in dict.fromkeys(operation.group for operation in asked):
        yield f"<section>\n<h2>{escaped(group)}</h2>\n{prose(told.get(group, ''))}"
        yield from (sections.section(operation) for operation in asked if operation.group == group)
        yield "</section>\n"


def _other_schemas(schemas: Schemas, tables: Tables) -> str:
    """Describe the schemas that are never a body by themselves."""
    others = "".join(
        f'<section class="dn-box" id="{anchor}">\n<h3><a href="#{anchor}">{code(name)}</a></h3>\n'
        f"{tables.named(name)}</section>\n"
        for name, anchor in schemas.anchors.items()
        if name not in tables.described
    )
    return f"<section>\n<h2>Objects</h2>\n{others}</section>\n" if others else ""
