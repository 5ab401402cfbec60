"""Documents as HTML: the text wraps as the browser likes, and every mention has a lane under it.

There is no script, no measuring and no picture. The text is cut where fragments begin and end, and each stretch is an
inline element whose lower border is its mention's lane: thick under a fragment, thin and hanging under a gap. What
comes from data is escaped. Labels are generated content, so that text which is copied out of a page is the text.
"""

from collections.abc import Iterable, Iterator

from disconer.document import Document, Mention
from disconer.drawing.looks import Looks, score_text
from disconer.drawing.marked_text import escaped, look_classes, marked_text, mention_attributes
from disconer.drawing.style import content_security_policy, style_sheet

_LISTED_CHARACTERS = 200  # of a mention's text


def figure(document: Document, labels: Iterable[str] = ()) -> str:
    """Draw a document as an element of a page that has the style sheet.

    Documents that are drawn with the same `labels` have the same colour for each. The elements of a mention carry its
    place among the document's mentions, its label and its score: `data-mention`, `data-label`, `data-score`.
    """
    return _figure(document, Looks(labels))


def standalone_figure(document: Document, labels: Iterable[str] = ()) -> str:
    """Draw a document together with its style, say for a notebook."""
    return f"<style>{style_sheet()}</style>{figure(document, labels)}"


def page(documents: Iterable[Document], title: str, labels: Iterable[str] = ()) -> Iterator[str]:
    """Draw documents as a page of their own, part by part, one document at a time.

    The legend comes last, when all labels are known, and sticks to the lower edge of the window.
    """
    looks = Looks(labels)
    yield f"{page_start(title, style_sheet())}<main>\n"
    for document in documents:
        yield _figure(document, looks)
    yield f"</main>\n{_legend(looks)}</body>\n</html>\n"


def page_start(title: str, style: str, script: str = "") -> str:
    """Write the beginning of a page with text from data, up to its heading; the first line says what it contains.

    Only this style and this script will work on it.
    """
    return f"""\
<!DOCTYPE html><!-- This page contains source text, which may be private. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{content_security_policy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escaped(title)}</title>
<style>{style}</style>
</head>
<body class="dn-page">
<header>
<p class="dn-notice">This page contains source text, which may be private.</p>
<h1>{escaped(title)}</h1>
</header>
"""


def _figure(document: Document, looks: Looks) -> str:
    caption = "" if document.id is None else f"<figcaption><bdi>{escaped(str(document.id))}</bdi></figcaption>\n"
    text, undrawn = marked_text(document, looks)
    return (
        f'<figure class="dn-figure">\n{caption}<div class="dn-text" dir="auto" lang="">{text}</div>\n'
        f"{_list(document, undrawn, looks)}</figure>\n"
    )


def _list(document: Document, undrawn: int, looks: Looks) -> str:
    """Write the mentions as a list that opens at a click, for those who cannot see the drawing or want offsets."""
    if not document.mentions:
        return ""
    count = f"{len(document):,} mention{'s' if len(document) > 1 else ''}"
    note = f", {undrawn:,} of them too deep to be drawn" if undrawn else ""
    items = "".join(_item(number, mention, looks) for number, mention in enumerate(document.mentions))
    return f'<details class="dn-list"><summary>{count}{note}</summary>\n<ol>\n{items}</ol>\n</details>\n'


def _item(number: int, mention: Mention, looks: Looks) -> str:
    text = " … ".join(mention.layout.text[start:end] for start, end in mention.fragments)
    if len(text) > _LISTED_CHARACTERS:
        text = f"{text[:_LISTED_CHARACTERS]} …"
    places = ", ".join(f"{start}–{end}" for start, end in mention.fragments)
    score = "" if mention.score is None else f" · score {score_text(mention)}"
    return (
        f'<li class="{look_classes(mention.label, looks)}"{mention_attributes(number, mention)}>'
        f"<b><bdi>{escaped(mention.label)}</bdi></b> <bdi>{escaped(text)}</bdi> "
        f"<small>{places}{score}</small></li>\n"
    )


def _legend(looks: Looks) -> str:
    items = "".join(
        f'<li class="{look_classes(label, looks)}"><bdi>{escaped(label)}</bdi></li>\n' for label in sorted(looks.labels)
    )
    return f'<footer class="dn-legend"><ul aria-label="Labels">\n{items}</ul></footer>\n' if items else ""
