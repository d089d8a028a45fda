"""Whether everybody can use a page: axe's rules of WCAG 2.2 AA in light and dark, the keyboard, and a narrow screen."""

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page

NARROW = 320
"""CSS px: what WCAG's reflow (1.4.10) asks for."""
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_AXE = """(rules) => axe.run(document, {runOnly: rules}).then((found) => found.violations.flatMap(
  (rule) => rule.nodes.map((node) => `${rule.id}: ${node.target}: ${node.any.map((one) => one.message)}`)))"""
_FOCUSED = """() => {
  const one = document.activeElement, box = one.getClientRects()[0];
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, 20) / 2);
  const seen = getComputedStyle(one).outlineStyle !== "none" && (one.contains(there) || there.contains(one));
  const told = `${one.tagName} ${one.id || one.name || one.textContent.trim().slice(0, 30)}`;
  return one === document.body ? null : [told, [...document.querySelectorAll("*")].indexOf(one), seen];
}"""


def faults(page: "Page") -> list[str]:
    """What keeps somebody from using the page as it stands, each in a line."""
    found: list[str] = []
    size = page.viewport_size
    page.evaluate(AXE_SCRIPT)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {line}" for line in page.evaluate(_AXE, _RULES)]
    assert size is not None
    page.set_viewport_size({"width": NARROW, "height": size["height"]})
    if page.evaluate("document.documentElement.scrollWidth") > NARROW:
        found.append(f"wider than {NARROW} px")
    page.set_viewport_size(size)
    return found + _keyboard_faults(page)


def _keyboard_faults(page: "Page") -> list[str]:
    """What Tab does not reach in the order of the page, or where it is cannot be seen."""
    found: list[str] = []
    before = -1
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.mouse.click(1, 1)  # Tab begins there
    while (at := _after_tab(page)) is not None:
        told, place, is_seen = at
        if place <= before:
            return [*found, f"Tab goes back to {told}"]
        if not is_seen:
            found.append(f"the focus is not seen on {told}")
        before = place
    return found


def _after_tab(page: "Page") -> Any:
    """What has the focus after Tab: what it is, its place in the page, and whether that is seen; or nothing."""
    page.keyboard.press("Tab")
    return page.evaluate(_FOCUSED)
