"""spaCy: a component that finds mentions with gaps, and Docs that hold them.

    nlp.add_pipe("disconer", config={"model": "path/or/hub-id"})

spaCy finds the component by itself. `doc.spans["disconer"]` then has a span for every fragment, those of a mention with
the same `id_`, and `doc._.mentions` the mentions themselves; to read these from Docs without a pipeline, import this.
"""

from disconer.foundation.extras import require_extra

with require_extra("spacy"):
    from spacy.language import Language

    from disconer.integrations.spacy.component import SCORE_NAMES, MentionRecognizer, Options
    from disconer.integrations.spacy.docs import joined, register_extension, to_doc, to_document

__all__ = ["MentionRecognizer", "Options", "create", "joined", "to_doc", "to_document"]

_DEFAULTS = Options()

register_extension()


@Language.factory(
    "disconer",
    default_config={"model": None, **_DEFAULTS.as_config()},
    assigns=["doc.spans", "doc._.mentions"],
    default_score_weights={f"{_DEFAULTS.spans_key}_{name}": weight for name, weight in SCORE_NAMES.items()},
)
def create(  # noqa: PLR0913, PLR0917 (spaCy wants an argument for every key of the configuration)
    nlp: Language,  # noqa: ARG001 (and this one)
    name: str,
    model: str | None,
    spans_key: str,
    threshold: float | None,
    context: int,
    device: str,
    threads: int | None,
    annotate_ents: bool,
    overwrite: bool,
) -> MentionRecognizer:
    """Make the component of a pipeline. Its model is loaded when it is needed, or comes with the pipeline's folder."""
    options = Options(spans_key, threshold, context, device, threads, annotate_ents, overwrite)
    return MentionRecognizer(name, model, options)
