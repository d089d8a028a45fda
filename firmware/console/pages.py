"""The pages as text: templates filled in, with nothing of what they are given taken for markup."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

HERE = Path(__file__).parent
STATIC = HERE / "static"

_ENVIRONMENT = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["clock"] = lambda t: f"{int(t) // 60}:{int(t) % 60:02}"
_ENVIRONMENT.globals["PIPS"] = {
    1: ((2, 2),),
    2: ((1, 1), (3, 3)),
    3: ((1, 1), (2, 2), (3, 3)),
    4: ((1, 1), (1, 3), (3, 1), (3, 3)),
    5: ((1, 1), (1, 3), (2, 2), (3, 1), (3, 3)),
    6: ((1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)),
}


def text(template: str, told: Mapping[str, Any]) -> str:
    """The template filled in."""
    return _ENVIRONMENT.get_template(template).render(told)


def page(template: str, told: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """The template filled in, as an answer."""
    return HTMLResponse(text(template, told), status)
