"""USB cameras are held at what they chose. None is here: a stand-in keeps what a V4L2 driver keeps."""

import cv2

from hardware.usb import Controls, chosen, hold, let_choose

SWITCHES = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)


class Driver:
    """The properties that it has, kept as they are set; exposure and focus move by themselves while they may."""

    def __init__(self, **had: float) -> None:
        self.kept = {getattr(cv2, f"CAP_PROP_{name.upper()}"): value for name, value in had.items()}

    def get(self, property: int, /) -> float:
        return self.kept.get(property, -1.0)

    def set(self, property: int, value: float, /) -> bool:
        refused = property == cv2.CAP_PROP_AUTO_EXPOSURE and value == 0
        if property not in self.kept or refused:
            return False
        self.kept[property] = value
        return True


def test_what_the_camera_chose_is_held() -> None:
    driver = Driver(auto_exposure=3, exposure=156, gain=0, auto_wb=1, wb_temperature=4600, autofocus=1, focus=30)
    held = chosen(driver)
    assert held == Controls(156, 0, 4600, 30)
    assert hold(driver, held) == ()
    assert [driver.get(p) for p in (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)] == [
        1,
        0,
        0,
    ]
    let_choose(driver)
    assert [driver.get(p) for p in (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)] == [
        3,
        1,
        1,
    ]


def test_what_is_missing_or_cannot_be_held_is_named() -> None:
    assert hold(Driver(gain=2), chosen(Driver(gain=2))) == ("exposure", "white_balance", "focus")

    class Stubborn(Driver):
        def set(self, property: int, value: float, /) -> bool:
            return property != cv2.CAP_PROP_AUTO_EXPOSURE and super().set(property, value)

    assert hold(Stubborn(auto_exposure=3, exposure=100, gain=1), Controls(100, 4)) == (
        "exposure",
        "white_balance",
        "focus",
    )


def test_a_camera_without_any_control_is_used_all_the_same() -> None:
    let_choose(Driver())
    assert chosen(Driver()) == Controls()
    assert len(hold(Driver(), Controls(100, 4, 4600, 30))) == 4
