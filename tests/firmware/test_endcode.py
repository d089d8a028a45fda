"""The code that players note: how it is written, read back from paper, and what of a ledger it stands for."""

import hashlib

import pytest

from firmware.endcode import CLOSED, PRUNED, SIGNED, Ending, code_of, is_code_of

SEALED = hashlib.sha256(b"the end").hexdigest()
OTHER = hashlib.sha256(b"another").hexdigest()


def test_a_code_is_eighty_bits_of_the_hash_in_letters_that_no_hand_mixes_up() -> None:
    assert code_of("0" * 63 + "f") == "0000-0000-0000-0000" and code_of("f" * 64) == "ZZZZ-ZZZZ-ZZZZ-ZZZZ"
    assert code_of("08421084210842108421" + "f" * 44) == "1111-1111-1111-1111"
    assert not set("ILOU") & set(code_of(SEALED) + code_of(OTHER))


@pytest.mark.parametrize(
    ("noted", "right"),
    [
        (code_of(SEALED), True),
        (f" {code_of(SEALED).lower().replace('-', ' ')} ", True),
        (code_of(SEALED).replace("0", "o").replace("1", "l"), True),
        (SEALED, True),
        (SEALED[:12], True),
        (SEALED[:11], False),
        (code_of(SEALED)[:-1], False),
        (code_of(OTHER), False),
        ("", False),
    ],
)
def test_what_is_on_the_paper_is_read_however_it_is_spelt(noted: str, right: bool) -> None:
    assert is_code_of(noted, SEALED) is right


def test_a_signature_and_a_pruning_leave_a_match_closed_and_nothing_else_does() -> None:
    ending = Ending("00")
    ending.take({"kind": "ruling", "name": "MatchEnded"}, OTHER)
    ending.take({"kind": "note", "name": CLOSED}, SEALED)
    for name in (SIGNED, PRUNED):
        ending.take({"kind": "note", "name": name}, "ab" * 32)
        assert ending.closed and ending.code == code_of(SEALED) and ending.is_noted(code_of(SEALED))
    ending.take({"kind": "note", "name": "EvidenceKept"}, "cd" * 32)
    assert not ending.closed and not ending.is_noted(code_of(SEALED))
