"""What a study's file may say."""

from pathlib import Path

import pytest

from disconer.cli.study import EXAMPLE
from disconer.exceptions import InputError
from disconer.foundation.settings import find_differences
from disconer.models.settings import MacSettings
from disconer.study.plan import Plan, read_plan
from disconer.training.config import Schedule


def planned(tmp_path: Path, text: str) -> Plan:
    path = tmp_path / "study.toml"
    path.write_text(text, encoding="utf-8")
    return read_plan(path)


CORPUS = '[corpora.c]\ntrain = "train.jsonl"\ndev = "dev.jsonl"\n'


def test_the_example_is_a_study(tmp_path: Path) -> None:
    plan = planned(tmp_path, EXAMPLE)
    assert plan.title == "Mac and its ablations"
    assert [system.base for system in plan.systems.values()] == [None, "mac", "mac", "mac", "mac"]
    configs = {name: system.config(plan.corpora["sample"], (1,)) for name, system in plan.systems.items()}
    assert all(config.training.epochs == 5 for config in configs.values())
    assert configs["no-inner"].settings_of(MacSettings).inner == "none"
    assert configs["mac"].settings_of(MacSettings).inner == "scan"
    assert configs["mac"].data.train == "sample/train.jsonl"


def test_own_settings_go_over_the_bases_and_those_over_all_others(tmp_path: Path) -> None:
    text = CORPUS + (
        '[settings.training]\nepochs = 2\nbatch_size = 7\n[systems.a]\nconfig = "paper"\ntraining.epochs = 3\n'
        '[systems.b]\nof = "a"\ntraining.epochs = 4\n'
    )
    plan = planned(tmp_path, text)
    configs = {name: system.config(plan.corpora["c"], (1, 2)) for name, system in plan.systems.items()}
    assert (configs["a"].training.epochs, configs["b"].training.epochs) == (3, 4)
    assert {config.training.batch_size for config in configs.values()} == {7}
    assert {config.training.schedule for config in configs.values()} == {Schedule.CONSTANT}
    assert {config.seeds for config in configs.values()} == {(1, 2)}


def test_a_variants_file_goes_over_its_bases(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[training]\nepochs = 6\n")
    text = f'{CORPUS}[systems.a]\nconfig = "paper"\n[systems.b]\nof = "a"\nconfig = "mine.toml"\n'
    plan = planned(tmp_path, text)
    base, variant = (plan.systems[name].config(plan.corpora["c"], (1,)) for name in "ab")
    assert find_differences(base, variant) == ["training.epochs"]


def test_names_and_folders_come_from_the_file(tmp_path: Path) -> None:
    plan = planned(tmp_path, f"{CORPUS}[systems.a]\n")
    assert (plan.title, plan.out) == ("study", tmp_path / "study")
    assert plan.settings.seeds == (1, 2, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a study needs a table [corpora.NAME]"),
        (CORPUS, "a study needs a table [systems.NAME]"),
        (f"sedes = [1]\n{CORPUS}[systems.a]\n", "there is no setting 'sedes': did you mean 'seeds'?"),
        (f"seeds = []\n{CORPUS}[systems.a]\n", "seeds must be a list of one or more whole numbers"),
        (f"{CORPUS}[systems.a]\nmac.iner = 3\n", "systems.a: there is no setting 'mac.iner': did you mean"),
        (f'{CORPUS}[systems.a]\nof = "b"\n', "systems.a.of must be the name of another system"),
        (f'{CORPUS}[systems.a]\nof = "a"\n', "systems.a.of must be the name of another system"),
        (f"{CORPUS}[systems.a]\ntitle = 3\n", "systems.a.title must be text"),
        (f'{CORPUS}[systems.a]\n[systems.b]\ntitle = "a"\n', "two of the study have the title 'a'"),
        ('[corpora.c]\ntrain = "t"\n[systems.a]\n', "corpora.c needs dev"),
        ('[corpora.c]\ndev = "d"\n[systems.a]\n', "corpora.c needs train"),
        (f'{CORPUS}[systems."../a"]\n', "'../a' is no name for one of systems"),
        (f'{CORPUS}[systems.a]\npredictions.d = ["x"]\n', "none of the corpora"),
        (f"{CORPUS}[systems.a]\npredictions.c = 'x'\n", "must be a list of one or more paths"),
        (f"{CORPUS}[systems.a]\npredictions.c = ['x']\nmac.width = 3\n", "so mac means nothing"),
        (f"{CORPUS}[systems.a]\nconfig = 'nowhere.toml'\n", "nowhere.toml: there is no such file"),
        (f"{CORPUS}[systems.a]\nof = ['t']\n[systems.t]\n", "systems.a.of must be the name of another system"),
        (f"{CORPUS}[systems.a]\nof = 'b'\n[systems.b]\npredictions.c = ['x']\n", "systems.a.of must be the name of"),
        (f"seeds = [1, 1]\n{CORPUS}[systems.a]\n", "seeds names one of them twice"),
        (f"{CORPUS}split = 'bogus'\n[systems.a]\n", "corpora.c.split must be one of auto, always, never"),
        (f"{CORPUS}format = 'bogus'\n[systems.a]\n", "corpora.c.format must be one of jsonl"),
        (f"{CORPUS}[settings]\nseeds = [7]\n[systems.a]\n", "settings cannot have seeds"),
        (f"{CORPUS}[settings.data]\nevery = 4\n[systems.a]\n", "settings cannot have data"),
        (f"{CORPUS}[systems.a]\ndata.train = 'x'\n", "systems.a cannot have data"),
        ("[corpora\n", "this is not TOML"),
    ],
)
def test_what_does_not_fit_is_said_in_a_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        planned(tmp_path, text)
    assert message in str(caught.value)
    assert "study.toml" in str(caught.value) or "nowhere.toml" in str(caught.value)
