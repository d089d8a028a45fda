"""Parts that fail are started again and the others go on; what waits between them is bounded."""

from collections.abc import Iterator
from threading import Event

import pytest

from firmware.errors import SourceEndedError
from firmware.play import parts
from firmware.play.parts import Mailbox, Part


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    monkeypatch.setattr(parts, "PAUSES_S", (0.001,))
    event = Event()
    yield event
    event.set()


def test_a_part_that_fails_is_started_again_until_it_is_done(stop: Event) -> None:
    failures = [SourceEndedError("no picture"), ZeroDivisionError("by zero")]
    errors = []

    def job(part: Part) -> None:
        errors.append(part.error)
        if failures:
            raise failures.pop(0)
        part.beat()

    part = Part("watch", job, stop)
    part.start()
    assert part.join(10)
    assert errors == [None, "no picture", "watch failed: ZeroDivisionError: by zero"]
    assert (part.restarts, part.error, part.alive) == (2, None, False)


def test_a_part_that_keeps_failing_ends_when_all_is_stopped(stop: Event) -> None:
    part = Part("capture", lambda _: [][0], stop)
    part.start()
    while part.restarts < 3:
        pass
    stop.set()
    assert part.join(10)


def test_where_there_is_no_room_the_oldest_goes_and_is_counted() -> None:
    box = Mailbox[int](3)
    for number in range(5):
        box.put(number)
    assert [box.take(0) for _ in range(4)] == [2, 3, 4, None]
    assert box.dropped == 2


def test_a_sender_that_waits_loses_nothing_and_ends_when_all_is_stopped(stop: Event) -> None:
    box = Mailbox[int](1)

    def send(part: Part) -> None:
        for number in range(20):
            box.put_waiting(number, stop, part.beat)

    sender = Part("capture", send, stop)
    sender.start()
    assert [box.take(10) for _ in range(19)] == list(range(19))
    assert sender.join(10)
    waiting = Part("capture", lambda part: box.put_waiting(99, stop, part.beat), stop)
    waiting.start()
    stop.set()
    assert waiting.join(10)
    assert (box.take(0), box.take(0), box.dropped) == (19, None, 0)
