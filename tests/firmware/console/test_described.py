"""Both servers against their own description: whatever is sent, no fault of ours comes, and nothing undescribed."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import booleans
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from firmware.console.certificate import CERTIFICATE
from firmware.entries import verify
from scorer.state import Options
from tests.firmware.console.table import PIN, Table, table, until
from tests.firmware.console.test_players import seated
from tests.firmware.evidence.test_history import keep
from tests.scorer.tray import FIRST

EXAMPLES = int(os.environ.get("FAIRTRAY_EXAMPLES", "3"))
"""Of requests to each page; `make fuzz-console` sends many."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with table(tmp_path_factory.mktemp("described"), options=Options(marker=True)) as made:
        made.see(FIRST)
        made.until(lambda history: len(history.rolls) == 1)
        keep(made.ledger, 3)
        yield made


@pytest.mark.parametrize("who", ["player", "referee"])
def test_whatever_is_sent_is_answered_as_described(played: Table, who: str) -> None:
    secure = who == "referee"
    visitor = played.referee() if secure else seated(played, "Ann")
    assert not secure or visitor.post("/login", pin=PIN).told["taken"]
    made = str(Path(played.options.folder) / CERTIFICATE) if secure else True
    base = f"http{'s' if secure else ''}://127.0.0.1:{visitor.port}"
    described = schemathesis.openapi.from_dict(visitor.get("/openapi.json").told)
    form = visitor.hidden()["form"]
    operations = []
    for found in described.get_all_operations():
        assert isinstance(found, Ok), found
        operations.append(found.ok())
    assert len(operations) > 12
    for operation in operations:

        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), own=booleans())
        def sent(case: schemathesis.Case[Any], own: bool) -> None:
            if own and isinstance(case.body, dict) and "form" in case.body:
                case.body["form"] = form
            headers = {"cookie": visitor.cookie} if own else {}
            response = case.call(base_url=base, verify=made, headers=headers)
            case.validate_response(response, checks=CHECKS)
            assert b"Traceback" not in response.content

        if operation.path not in ("/logout", "/seat/leave"):
            sent()
    until(lambda: visitor.get("/api/match").status == 200)
    assert verify(played.match).ok
