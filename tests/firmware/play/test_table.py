"""Who plays at a table, and what they have agreed without saying so."""

import pytest

from firmware.play.table import WatchOptions, people


@pytest.mark.parametrize(
    ("players", "agreed", "marker"),
    [(("Ann", "Ben"), (), True), (("Ann", "Ben"), ("marker=no",), False), (("Ann",), (), False)],
)
def test_with_buttons_the_marker_agrees_to_each_box(
    players: tuple[str, ...], agreed: tuple[str, ...], marker: bool
) -> None:
    options = WatchOptions("usb:0", players=players, agreed=agreed, chosen_by_hand=True, two_hands=True)
    umpire, _ = people(options)
    assert umpire is not None and umpire.state.options.marker is marker
    assert not umpire.state.options.automatic_boxes
