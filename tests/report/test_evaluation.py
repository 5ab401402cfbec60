from dataclasses import replace

from disconer.report.contents import Contents
from disconer.report.evaluation import Comparison, System, SystemDifference, f1_differences, order_by_family
from disconer.scoring import SCOPES, Counts
from disconer.scoring.significance import Interval


def test_differences_that_are_equal_are_ties() -> None:
    """As floating-point numbers, 1 - 2/3 and 2/3 - 1/3 are not the same."""
    third, two_thirds, whole = Counts(3, 3, 1), Counts(3, 3, 2), Counts(3, 3, 3)
    assert len(set(f1_differences([whole, two_thirds, third], [two_thirds, third, Counts(3, 3, 0)]))) == 1


def test_marks() -> None:
    assert SystemDifference(Interval(0.1, 0.02, 0.2), 0.2).marks == "†"
    assert SystemDifference(Interval(-0.1, -0.2, -0.02), 0.01).marks == "*†"
    assert SystemDifference(Interval(0.1, 0.0, 0.2), 0.05).marks == ""


def test_a_system_that_is_far_worse_differs_in_every_scope(contents: Contents) -> None:
    comparison = Comparison(contents.report.evaluations[0])
    for scope in SCOPES:
        found = comparison.difference(scope, "Mac", "Worse")
        scores = [contents.report.evaluations[0].results[name].median.scores for name in ("Mac", "Worse")]
        f1 = [getattr(own, scope).f1 for own in scores]
        assert abs(found.interval.difference - (f1[0] - f1[1])) < 1e-12
        assert found.interval.low < found.interval.difference < found.interval.high
        assert found.marks
    assert comparison.marks("all", "Worse", "Mac") == ""


def test_variants_follow_their_base() -> None:
    systems = [System("b", "a"), System("a"), System("c"), System("d", "a"), System("e", "gone")]
    assert [system.title for system in order_by_family(systems)] == ["a", "b", "d", "c", "e"]


def test_no_two_corpora_have_one_name_in_files(contents: Contents) -> None:
    evaluation = contents.report.evaluations[0]
    three = [replace(evaluation, corpus=name) for name in ("CADEC", "Cadec", "CADEC 2")]
    report = replace(contents.report, evaluations=three)
    assert len({report.slug(one) for one in three}) == 3
