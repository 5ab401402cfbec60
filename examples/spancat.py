"""What a tool without gaps loses: spaCy's span categoriser, trained on the sample corpus and scored beside disconer.

    python examples/spancat.py FOLDER

FOLDER is what `disconer sample FOLDER` wrote. The categoriser learns all mentions without gaps, since it can hold no
others; its predictions go into FOLDER/spancat.jsonl. Any other tool's are scored in the same way: write a line for each
document, with its id, its text and what was found, and name the file behind `disconer compare` or `disconer score`.
"""

import random
import sys
from collections.abc import Iterable
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch

import disconer

EPOCHS = 6
LONGEST = 6
"""Words of a mention that the categoriser is asked about."""
KEY = "mentions"


def main(folder: Path) -> None:
    train, test = (list(disconer.read(folder / f"{split}.jsonl")) for split in ("train", "test"))
    nlp = train_categoriser(train)
    found = [from_spacy(document, doc) for document, doc in zip(test, nlp.pipe(d.text for d in test), strict=True)]
    disconer.write(found, folder / "spancat.jsonl")
    print(disconer.score(test, found))
    print(f"disconer compare RUN {folder / 'spancat.jsonl'} --data {folder / 'test.jsonl'} -o report.html")


def train_categoriser(documents: Iterable[disconer.Document]) -> Language:
    fix_random_seed(0)
    nlp = spacy.blank("en")
    suggester = {"@misc": "spacy.ngram_range_suggester.v1", "min_size": 1, "max_size": LONGEST}
    nlp.add_pipe("spancat", config={"spans_key": KEY, "suggester": suggester})
    examples = [Example(nlp.make_doc(document.text), to_spacy(document, nlp)) for document in documents]
    nlp.initialize(lambda: examples)
    order = random.Random(0)  # noqa: S311 (nothing is secret here)
    for epoch in range(1, EPOCHS + 1):
        order.shuffle(examples)
        losses: dict[str, float] = {}
        for batch in minibatch(examples, 32):
            nlp.update(batch, losses=losses)
        print(f"epoch {epoch} of {EPOCHS}: loss {losses['spancat']:.0f}", file=sys.stderr)
    return nlp


def to_spacy(document: disconer.Document, nlp: Language) -> Doc:
    """Make spans of the mentions that are one stretch of text; there is no room for the others."""
    doc = nlp.make_doc(document.text)
    whole = [mention for mention in document if not mention.is_discontinuous]
    extents = [(mention.fragments[0].start, mention.fragments[-1].end, mention.label) for mention in whole]
    doc.spans[KEY] = [
        span for start, end, label in extents if (span := doc.char_span(start, end, label, alignment_mode="expand"))
    ]
    return doc


def from_spacy(document: disconer.Document, doc: Doc) -> disconer.Document:
    """Make mentions of spans."""
    spans = [(span.label_, [(span.start_char, span.end_char)]) for span in doc.spans[KEY]]
    return disconer.Document(document.layout, spans, document.id)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
