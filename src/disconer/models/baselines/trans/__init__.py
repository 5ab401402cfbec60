"""Trans: actions by transitions, after Dai et al. (2020), on a transformer or on ELMo.

network.py has what every network of this kind does: follow the oracle in training, and decide step by step in
prediction. What it sees of the stack is in stack.py, as the paper has it, and in plain.py, a smaller one.
"""

from collections.abc import Sequence

from disconer.encoders.encoder import WordEncoder
from disconer.models.baselines.trans.network import Trans
from disconer.models.baselines.trans.plain import PlainTrans
from disconer.models.baselines.trans.stack import StackTrans
from disconer.models.settings import TransNetwork, TransSettings
from disconer.schemes.transitions import TransitionScheme

__all__ = ["Trans", "build_trans"]


def build_trans(
    encoder: WordEncoder, labels: Sequence[str], scheme: TransitionScheme, settings: TransSettings
) -> Trans:
    """Make the network that the settings ask for."""
    kind = StackTrans if settings.network is TransNetwork.STACK else PlainTrans
    return kind(encoder, labels, scheme, settings)
