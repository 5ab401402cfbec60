"""What the benchmarks compare with must do the same work, or the ratios mean nothing."""

import pytest
import torch
from benchmarks.literal import LiteralMac

from disconer.document import Document
from disconer.encoders.pretrained import load_encoder
from disconer.encoders.settings import EncoderSettings
from disconer.models.mac.network import Mac
from disconer.models.settings import InnerKind, LearnedEdges, MacSettings
from disconer.passage import WordMention
from disconer.schemes import GridScheme

TEXTS = ["Severe joint, shoulder and upper body pain", "Headache", "mild fever after the second dose"]
MENTIONS = [
    [WordMention("ADR", ((0, 1), (7, 7))), WordMention("ADR", ((0, 0), (3, 3), (7, 7)))],
    [WordMention("Drug", ((0, 0),))],
    [],
]


def test_the_literal_implementation_is_mac_without_shortcuts() -> None:
    torch.manual_seed(0)
    encoder, tokenizer = load_encoder(EncoderSettings("tiny"))
    scheme = GridScheme().with_min_score(0.5)
    sizes = MacSettings(
        width=16, longest_segment=9, inner=InnerKind.LSTM, words=False, learned_edges=LearnedEdges.ALL, prior=0.4
    )
    mac = Mac(encoder, ("ADR", "Drug"), scheme, sizes).eval()
    for parameter in (*mac.segment_classifier.parameters(), *mac.edge_classifier.parameters()):
        torch.nn.init.normal_(parameter, std=0.3)
    literal = LiteralMac(mac).eval()
    batch = tokenizer.collate(tokenizer.tokenize([Document(text).sentences[0] for text in TEXTS]))
    ours = [set(scheme.decode(grids).mentions) for grids in mac.outputs(batch, scheme)]
    assert literal.mentions(batch) == ours
    assert sum(len(mention.segments) > 1 for found in ours for mention in found) > 3
    targets = [mac.targets(mentions, 99) for mentions in MENTIONS]
    assert literal.loss(batch, targets).item() == pytest.approx(mac.loss(batch, targets).item(), rel=1e-5)
