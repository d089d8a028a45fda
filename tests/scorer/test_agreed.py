"""What players agree about the table: reading it, refusing nonsense, and keeping it in the record."""

import pytest

from scorer.agreed import AGREEMENTS, agreed, options_of
from scorer.errors import MatchError, RulesetError
from scorer.presets import BHO
from scorer.ruled import MatchStarted
from scorer.settings import parse_settings
from scorer.state import Options
from scorer.umpire import Umpire


def test_nothing_is_agreed_unless_said() -> None:
    assert options_of({}, Options(automatic_boxes=True)) == Options(automatic_boxes=True)
    assert agreed(Options()) == {}


def test_every_option_can_be_agreed_and_is_kept_as_it_was_written() -> None:
    said: dict[str, bool | int | str] = {
        "automatic_boxes": "yes",
        "marker": "yes",
        "announce": "yes",
        "throw_for_start": "yes",
        "starter": "Ben",
        "cocked_stands": "yes",
        "as_it_lies": "yes",
        "strict": "staggered,weak_throw",
        "seconds_to_play": "60",
    }
    options = options_of(said)
    assert options.strict == {"staggered", "weak_throw"}
    assert said.keys() == AGREEMENTS.keys()
    assert options_of(agreed(options)) == options


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("markers=yes", "unknown agreement 'markers'; there are automatic_boxes, marker"),
        ("marker=perhaps", "agreement marker=perhaps: it takes yes or no"),
        ("strict=staggered,loud", "it takes some of staggered, weak_throw"),
        ("seconds_to_play=0", "it takes seconds, 1 to 3600"),
        ("seconds_to_play=99999999999999", "it takes seconds, 1 to 3600"),
        ("seconds_to_play=nan", "it takes seconds, 1 to 3600"),
        ("seconds_to_play=²", "it takes seconds, 1 to 3600"),
    ],
)
def test_what_cannot_be_agreed_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(MatchError) as refusal:
        options_of(parse_settings([text], "agreement"))
    assert complaint in str(refusal.value)


def test_an_agreement_is_written_once_as_name_and_value() -> None:
    for texts in (["marker"], ["marker=yes", "marker=no"]):
        with pytest.raises(RulesetError, match="agreement"):
            parse_settings(texts, "agreement")


def test_the_record_says_what_was_agreed() -> None:
    opened = Umpire(BHO, ["Ann", "Ben"], options_of({"starter": "Ben", "marker": "yes"})).start()[0]
    assert isinstance(opened, MatchStarted)
    assert opened.agreed == {"marker": True, "starter": "Ben"}
