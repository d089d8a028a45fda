"""When another light is on, and when the usual one is back."""

import math
from collections.abc import Callable

import pytest

from vision.light import Light


def lost(level: Callable[[float], float], seconds: float = 8.0, start: float = 100.0) -> list[tuple[float, float]]:
    """From when to when another light was on, s, in a tray that is `level` times as bright as at the start, when it had
    the grey level `start`, 15 times a second."""
    light, found, since = Light(), [], None
    for t in (n / 15 for n in range(round(15 * seconds))):
        changed = light.has_changed(t, (0.98 * level(t), level(t), 1.02 * level(t)), start)
        if changed and since is None:
            since = t
        if not changed and since is not None:
            found.append((since, t))
            since = None
    return found if since is None else [*found, (since, math.inf)]


@pytest.mark.parametrize("overshoot", [0.6, 1.2])
def test_a_lamp_switched_back_is_as_before_within_a_second(overshoot: float) -> None:
    def level(t: float) -> float:
        out = 0.3 + 0.5 * (1 - math.exp(-(t - 2)))
        return 1.0 if t < 2 else out if t < 4 else 1 + overshoot * math.exp(-1.9 * (t - 4))

    ((began, over),) = lost(level)
    assert began == pytest.approx(2.0, abs=0.1)
    assert 4.7 < over < 5.1


def test_a_lamp_that_adds_its_light_is_the_light_once_exposure_has_nearly_settled() -> None:
    ((began, over),) = lost(lambda t: 1.0 if t < 2 else 1.05 + 0.5 * math.exp(-2.4 * (t - 2)))
    assert began == pytest.approx(2.0, abs=0.1)
    assert over == pytest.approx(3.6, abs=0.15)


def test_a_lamp_that_stays_out_in_the_dark_never_is_the_light() -> None:
    assert [over for _, over in lost(lambda t: 1.0 if t < 2 else 0.2)] == [math.inf]


def test_light_is_the_light_in_which_the_picture_is_burnt_out_no_more() -> None:
    ((began, over),) = lost(lambda t: 1.0 if t < 2 else 0.3, start=240.0)
    assert began == pytest.approx(2.0, abs=0.1)
    assert over < 3.2
    assert lost(lambda t: 1.0 if t < 2 else 0.15, start=240.0) == [(began, math.inf)]


def test_exposure_that_drifts_is_no_lamp() -> None:
    assert lost(lambda t: 1 + 0.3 * math.sin(t / 3)) == []


def test_lamp_that_comes_while_the_picture_did_not_change_is_seen_to_come_at_once() -> None:
    light = Light()
    assert not light.has_changed(0.0, (0.98, 1.0, 1.02))
    light.unchanged(0.2)
    assert light.has_changed(0.23, (1.3, 1.35, 1.4))


@pytest.mark.parametrize(("hides", "over"), [(True, 1.4), (False, 2.3)])
def test_what_shaded_the_tray_and_then_hid_it_was_no_lamp(hides: bool, over: float) -> None:
    light, changed = Light(), list[float]()
    for t in (n / 15 for n in range(60)):
        shaded = 0.4 if 0.4 < t < 0.5 else 1.0
        if 0.5 < t < 1.3:
            if hides:
                light.hidden(t)
        elif light.has_changed(t, (0.98 * shaded, shaded, 1.02 * shaded)):
            changed.append(t)
    assert changed[0] < 0.5
    assert changed[-1] < over
    assert (changed[-1] > 0.5) is not hides


@pytest.mark.parametrize(("edge", "changes"), [(0.6, False), (1.0, True)], ids=["a shadow's edge first", "a lamp"])
def test_the_shadow_of_a_head_that_comes_over_the_tray_is_no_lamp(edge: float, changes: bool) -> None:
    """It falls on some patches before it is on all of them."""
    light = Light()
    seen = [light.has_changed(n / 15, (1.0, 1.0, 1.0)) for n in range(15)]
    seen.append(light.has_changed(1.0, (edge, 1.0, 1.0)))
    seen += [light.has_changed(1.0 + n / 15, (0.66, 0.67, 0.7)) for n in range(1, 4)]
    assert any(seen) == changes
