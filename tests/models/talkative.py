"""A model with random weights that finds all sorts of mentions everywhere."""

from dataclasses import replace

import torch

from disconer.encoders.pretrained import pretrained
from disconer.encoders.settings import EncoderSettings
from disconer.models.mac import Mac
from disconer.models.settings import MacSettings, ModelName
from disconer.models.trained import Trained
from disconer.schemes import GridScheme

LABELS = ("ADR", "Drug")


def talkative(encoder_settings: EncoderSettings, sizes: MacSettings, scheme: GridScheme) -> Trained:
    """Make one; its segments have up to three words unless the sizes say otherwise."""
    torch.manual_seed(0)
    sizes = replace(sizes, width=16, longest_segment=sizes.longest_segment or 3, prior=0.4)
    encoder, reader = pretrained(encoder_settings)
    model = Mac(encoder, LABELS, scheme, sizes)
    for module in (model.segment_pairs, model.edge_pairs, model.segment_classifier, model.edge_classifier):
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter, std=0.15)
    return Trained(model.eval(), reader, LABELS, encoder_settings, sizes, ModelName.MAC)
