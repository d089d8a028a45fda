"""Hand-made lines of events and rulings."""

from typing import Any


def ruling(t: float, name: str, **fields: Any) -> dict[str, Any]:
    """A ruling said 0.2 s after it happened."""
    return {
        "t": t,
        "frame": round(30 * t),
        "t_said": t + 0.2,
        "kind": "ruling",
        "name": name,
        "player": "Ann",
        **fields,
    }


def counted(t: float, values: list[int], roll: int = 1) -> dict[str, Any]:
    """A roll counted."""
    return ruling(t, "RollCounted", roll=roll, values=values)


def event(t: float, name: str, **fields: Any) -> dict[str, Any]:
    """An event said 0.2 s after it happened."""
    return {"t": t, "frame": round(30 * t), "t_said": t + 0.2, "kind": "event", "name": name, **fields}


def die(value: int | None, x: float = 0.0, state: str = "flat", thrown: bool = True) -> dict[str, Any]:
    """A die at rest, `x` mm from the floor's centre."""
    return {"id": 1, "value": value, "p": 1.0, "state": state, "place": [x, 0.0], "thrown": thrown}


def rest(t: float, *dice: dict[str, Any]) -> dict[str, Any]:
    """Dice at rest."""
    return event(t, "DiceAtRest", dice=list(dice), thrown=[], kept=[], missing=0)
