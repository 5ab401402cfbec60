"""What each system that Mac is compared with writes down for the same sentence, and what it reads back."""

from disconer.passage import Segment, WordMention
from disconer.schemes import (
    BioeScheme,
    GridScheme,
    HypergraphScheme,
    Interpretation,
    Joining,
    Scheme,
    SegmentScheme,
    TransitionScheme,
    WordPairScheme,
)
from disconer.schemes.hypergraph import Links, Node
from disconer.schemes.masks import runs
from disconer.schemes.transitions import ActionKind, ParserState
from tools.pictures.canvas import MARGIN, Canvas, Point
from tools.pictures.example import Example
from tools.pictures.graphs import collect_edges, draw_segments
from tools.pictures.grids import SCHEME
from tools.pictures.strip import Strip

_LINE = 22


def mac(example: Example) -> str:
    """Draw tagged segments, and the edges between them."""
    canvas, strip = _begin("Mac: segments with tags, and edges", example)
    tags = {(first, last): str(tag) for _, tag, first, last in SCHEME.encode(example.mentions).segments}
    y = draw_segments(strip, tags, y=50)
    y = _draw_joins(strip, list(collect_edges(SCHEME.oracle(example.mentions).mentions)), y)
    y = _conclude(canvas, example, "with T2H edges", SCHEME, y)
    return canvas.svg(_conclude(canvas, example, "with the paper's edges", GridScheme(), y))


def bioe(example: Example) -> str:
    """Draw a tag under each word."""
    canvas, strip = _begin("BIOE: one tag a word", example)
    tags = BioeScheme().encode(example.mentions)
    for number in range(len(example.sentence.words)):
        tag = tags[number].text.split("-")[0] if number in tags else "O"
        with canvas.group("hue-0" if number in tags else "pale"):
            canvas.text((strip.middle((number, number)), 62), tag, anchor="middle", weight=600)
    y = _conclude(canvas, example, "each D with each H", BioeScheme(), 72)
    return canvas.svg(_conclude(canvas, example, "each D with all H", BioeScheme(joining=Joining.ALL), y))


def hypergraph(example: Example) -> str:
    """Draw the nodes of words in parts and in gaps, and the links between them."""
    canvas, strip = _begin("Graph: a path for every mention", example)
    (graph,) = HypergraphScheme().encode(example.mentions).values()
    with canvas.group("hue-0"):
        for node, link in graph.steps():
            child = node.child(link)
            if child is not None:
                canvas.line(_place(strip, node), _place(strip, child))
        for node, links in graph.links.items():
            _draw_node(canvas, _place(strip, node), node.is_gap, Links.END in links)
    y = 90.0 + 26 * max(2 * node.component + node.is_gap for node in graph.links)
    with canvas.group("pale"):
        canvas.text(
            (MARGIN, y), "● in a part   ○ in a gap   ◎ a mention ends; a row lower, the next part or gap", size=12
        )
    y = _conclude(canvas, example, "fewest paths", HypergraphScheme(), y + 4)
    return canvas.svg(_conclude(canvas, example, "all paths", HypergraphScheme(interpretation=Interpretation.ALL), y))


def comb(example: Example) -> str:
    """Draw segments without tags, and which of them merge."""
    canvas, strip = _begin("Comb: segments, and pairs that merge", example)
    labels = SegmentScheme().encode(example.mentions)
    y = draw_segments(strip, {(first, last): "" for _, first, last in labels.segments}, y=50)
    y = _draw_joins(strip, [(left, right) for _, left, right in labels.merges], y)
    return canvas.svg(_conclude(canvas, example, "cliques of what merges", SegmentScheme(), y))


def trans(example: Example) -> str:
    """Draw what is done, and the stack after it."""
    canvas, _ = _begin("Trans: actions, and the stack after each", example)
    words = example.sentence.words
    state = ParserState(len(words))
    y = 62.0
    for action in TransitionScheme().encode(example.mentions, len(words)):
        read = words[state.position] if action.kind in (ActionKind.SHIFT, ActionKind.OUT) else ""
        state.apply(action)
        canvas.text((MARGIN, y), f"{action.kind} {read}", size=12, weight=600)
        items = (state.items[number].words for number in state.stack)
        with canvas.group("hue-0"):
            canvas.text((MARGIN + 110, y), " │ ".join(_words(example, item) for item in items), size=12)
        y += 19
    return canvas.svg(_conclude(canvas, example, "what is completed", TransitionScheme(), y - 8))


def w2ner(example: Example) -> str:
    """Draw the relations from word to word, and those back from tail to head."""
    canvas, strip = _begin("W2NER: the next word of a mention, and from its tail to its head", example)
    relations = WordPairScheme().encode(example.mentions)
    y = _draw_joins(strip, [((word, word), (other, other)) for word, other in relations.following], 48)
    for tail, head in sorted(relations.tails):
        with canvas.group("hue-0"):
            strip.bars(WordMention("", ((head, head), (tail, tail))), y + 4, dashed=True)
        y += 14
    with canvas.group("pale"):
        canvas.text((MARGIN, y + 16), "lines: the next neighbouring word   dashes: tail to head", size=12)
    return canvas.svg(_conclude(canvas, example, "paths from head to tail", WordPairScheme(), y + 12))


def _begin(title: str, example: Example) -> tuple[Canvas, Strip]:
    canvas = Canvas(title, f"The labels of “{example.document.text}”.")
    return canvas, Strip(canvas, example, y=36)


def _conclude(canvas: Canvas, example: Example, way: str, scheme: Scheme, y: float) -> float:
    """Say what a perfect model of this kind would find, here and in the description; give where to go on."""
    found = set(scheme.oracle(example.mentions).mentions)
    gold = set(example.mentions)
    wrong = f", and {len(found - gold)} wrong" if found - gold else ""
    words = f"{way}: {len(found & gold)} of {len(gold)} mentions come back{wrong}"
    canvas.description += f" Read as {words}."
    mark = "✓" if found == gold else "✗"
    with canvas.group("hue-2" if found == gold else "hue-1"):
        canvas.text((MARGIN, y + _LINE), f"{mark} {words}", size=13)
    return y + _LINE + 8


def _draw_joins(strip: Strip, pairs: list[tuple[Segment, Segment]], y: float) -> float:
    """Draw a line for every two segments that belong together."""
    for number, pair in enumerate(sorted(pairs)):
        with strip.canvas.group("hue-3"):
            strip.bars(WordMention("", pair), y + 4 + 14 * number)
    return y + 14 * len(pairs)


def _place(strip: Strip, node: Node) -> Point:
    return strip.middle((node.word, node.word)), 62 + 26 * (2 * node.component + node.is_gap)


def _draw_node(canvas: Canvas, place: Point, is_gap: bool, is_last: bool) -> None:
    x, y = place
    canvas.hole((x - 6, y - 6), (12, 12), radius=6)
    canvas.box((x - 6, y - 6), (12, 12), radius=6, shade=0 if is_gap else 1)
    if is_last:
        canvas.box((x - 9, y - 9), (18, 18), radius=9)


def _words(example: Example, item: int) -> str:
    return example.mention_text(WordMention("", runs(item)))
