"""The networks of all models, by name."""

from collections.abc import Callable, Mapping, Sequence

from disconer.encoders.encoder import WordEncoder
from disconer.models.bioe import Bioe
from disconer.models.comb import Comb
from disconer.models.graph import HypergraphModel
from disconer.models.mac import Mac
from disconer.models.model import Model
from disconer.models.settings import ModelName, ModelSettings
from disconer.models.trans import Trans
from disconer.schemes import Scheme

_NETWORKS: Mapping[ModelName, Callable[..., Model]] = {
    ModelName.MAC: Mac,
    ModelName.BIOE: Bioe,
    ModelName.GRAPH: HypergraphModel,
    ModelName.COMB: Comb,
    ModelName.TRANS: Trans,
}


def network(
    name: ModelName, encoder: WordEncoder, labels: Sequence[str], scheme: Scheme, settings: ModelSettings
) -> Model:
    """Make a model with random heads on an encoder."""
    return _NETWORKS[name](encoder, labels, scheme, settings)
