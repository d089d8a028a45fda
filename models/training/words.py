"""Puts the model's card into words: `CARD.md`, made from `card.json` so that the two cannot disagree."""

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.training import sweep
from models.training.evaluate import Tally
from models.training.figures import (
    at_least,
    at_most,
    confusion_table,
    percent,
    reliability_table,
    risk_table,
    tally_table,
)
from models.training.prototype import left_out_table
from models.training.real import ASLANT, LEARNT, SOURCES
from vision.network import CARD

TITLES = {
    "left_out": "Whole photographs, by networks that never saw the source (die size known as a calibration knows it)",
    "left_out_given": "The reader alone at the labelled places, by networks that never saw the source",
    "sized": "Whole photographs, by the networks that ship (die size known; * = learnt from, so no proof)",
    "unsized": "The same with nothing known about the photographs: the die size is searched for",
    "clips": "Single frames of clips in which dice lie at rest (none learnt from)",
    "risk": "Risk against coverage: what every bar would have meant (all sources but `epanemu`)",
    "reliability": "Reliability: how often p was right, with the calibration that ships",
    "reliability_left_out": "The same where p, too, was learnt from the other sources alone",
    "simulated": "The simulated test set, which training never sees: drawn scenes, and trays traced from above",
    "perturbed": "Perturbed dice (* = judged by networks that learnt from the source; the rest without `epanemu`)",
}
"""What is counted under each name in the card's figures."""

_TALLIES = ("left_out", "left_out_given", "sized", "unsized", "clips")

KEY = """`wrong` = wrong though sure, the figure that must be nought; `unsure` = seen and asked about; `missed` = not
seen; `extra` = a sure value where no die is; `guessed` = a sure value of one of the `unreadable` dice; `sure` = share
of the dice that got a sure value, `at least` and `wrong at most` = the bounds, with 95 % confidence, on that share and
on the share of the sure values that are wrong.
"""

_HEAD = """# The networks and what to expect of them

Two small networks read the dice. `locator.onnx` finds die-like things in a grey picture in which a die's face is about
18 px wide; `reader.onnx` reads one of them from a 56x56 crop that spans 1.4 faces, in grey with two hues, or of a
single channel. The reader gives two opinions: which value is on top (or that no readable flat top face is there), and
where the pips are. A crop scores a value by the worst of four turned looks times the margin by which the pip map shows
its pips, lying as on a face, above any that would make it another value; what lies elsewhere (pips of side faces, print
between the pips or between the rows of a six) does not count. A value is *sure* where grey scores it clearly, or where
the mean over three crop sizes passes the bar in grey, in colour, in the darkest channel or (threes to sixes) in what
remains of that without thin bright marks, or is lifted halfway to it by the lightest channel; where colour, which shows
all that there is, scores it .6 times as high as grey and with .15 at least, and no pip differs from the others by two
thirds of what they differ from the body; where no channel speaks for another value, no blemish lies where a larger
value has one more pip, the middle pip of a five looks like its corners, not like glare or print on a four, no pip is
nearly as white as a body that is as white as a picture can be, and the pips of a four or a five lie as on a face seen
less than 45 degrees off its normal. Unless it is clear, a one, a two or a three must score 1.3 times as high, and a two
or a three show neither a four or six half an edge beside it nor pips across, whose edge it might be; a one or a two, or
at least the contrast of its pips, must outlast the loss of thin marks, as glints do not; and no channel's pip map,
whatever the reader makes of it, may show another value than a two, unless colour shows hardly any. A face that lies
below the middle of its die, with pips above it, may be a side face and is not sure, nor is one above which another is
read nearer than a flat die can lie, unless the camera is known to look down on it; the table's calibration tells which
way is down. In a photograph a one that the locator hardly takes for a die is not sure; two dice nearer than flat dice
can lie are one die and its side face, so neither is sure; and where the die size had to be searched for, a single sure
die must score 1.3 times as high, too, and show no other value at larger sizes, and a one must be clear, or score 1.3
times as high beside two other values, and lie away from others. What is not sure from where it was found is read once
more from the middle of its pips; a score of that look counts for two thirds. Where it does not pass, Fairtray asks; it
never guesses.

The interface (names, shapes, normalisation) is described in `vision/network.py`, `vision/locate.py` and
`vision/look.py`, which run them.
"""

_LEARNT = """## What they learnt from

Most of it is drawn: `models/training` draws dice of all kinds on trays and tables (numpy and OpenCV, Apache-2.0 like
the rest), with the places of their pips, and much that must *not* be read: dice that lean, are covered, cut off,
blurred or blank, side faces, crops cut astray, specks, seams, patterns of dots, printed faces, coins, buttons, screws,
keys, dominoes, dice of twenty, hands. Some are traced by `models/sim`, the simulator of the sample match. The rest are
photographs by others under licences that allow it. They are not in this repository; their values were labelled by hand,
their pips were marked by the reader that had seen drawn dice alone, where it saw exactly as many as the label says.
"""

_NOT_LEARNT = """
Measured with and never learnt from: `damiantab` (DamianTab/DiceDetection, Apache-2.0; only the values are known),
`epanemu` (Epanemu/GameDiceRecognition, CC BY 4.0), `fudw` (fudw/dice-detection-for-board-games, no licence stated) and
all clips (no licence stated).
`epanemu` was taken at 30 to 60 degrees from the vertical, where a side face shows as well as the top: it is here to
show what happens when the camera is *not* above the tray, which Fairtray does not support.
"""

_HOW = """## How the thresholds were chosen

For each source learnt from, the mixed stage of the training was repeated without it, and those networks judged it; the
networks that ship judged the sources they never saw; `epanemu` had no say. Each die was looked at where its label says
it lies, where the locator found it, and six times more as another table would show it: turned by any angle, up to a
stop lighter or darker, its size off by up to 10 % and its place by up to 5 % of a face, in half of the cases blurred by
half a pixel or packed as JPEG 60. The bar is the lowest of those tried that is at least 1.6 times as high as the surest
mistake, which scores .26: half of the pips of a clear six are lost in glare, a stop too bright (`rune55v_0047`). More
looks find surer mistakes: another of this die scores .38, in a trial that no command repeats, and the bar lies a tenth
above that. Two doubts came of mistakes that were seen so: blotches of a marbled body lay like the pips of a four in
grey, where colour shows a three (`nellbyler_0174`, scored .73), and pips of sixes were lost in the white of a body, a
stop too bright (`rune55v_0028`, `0092`, scored .25 and .43). Of the looks at perturbed dice (below) two were wrong
while colour had to score but half of what grey does, and could show twice as much of another value beside a two as it
may now (`nellbyler_0139`, `0174`), in a trial that no command repeats; both are asked about since. Bar, doubts and
figures thus come from the same dice: with no mistake on n different dice the true rate is below 3/n with 95 %
confidence. How oblong a six may be was seen on `damiantab`, so that its sixes are no proof of that. Three dice that
their source labels wrongly (in `nellbyler_0002`, `rune55v_0077` and `rune55v_0082`, looked at by eye) count by their
true values. A photograph is one look; at the table a die must moreover lie still and show the same in several frames
before its value is confirmed.
"""

_P = """## How honest p is

`p` is what the same looks, judged again under the bar that ships, prove with 95 % confidence about a score, supposing
only that a higher score is no worse: the best lower bound (Clopper and Pearson) on the share of dice right, among all
ranges of scores that end with or below it. It counts dice and not looks, and a die as wrong where a single look at it
is. So p never claims more than the dice left out can prove: without a mistake 0.999 takes 2995 of them.
"""

_SEEN = """What was behind the mistakes, where they were looked at by eye: those on `epanemu` are side faces, seen from
about 45 degrees off the vertical or more, which the locator itself took for the die; what is extra on `nellbyler` are
dice that nobody labelled, read rightly. On drawn photographs what is extra are the halves of dominoes, faces printed on
the table and cloths with rows of dots. What is asked about is mostly small and dark red on black or blue, or clear with
casino print, or lost in glare: marbled dice of 24 px, clear ones under a lamp.
"""

_BESIDE = """Beside the prototype that was there before, on sources that neither had seen. Its figures are those its
maker states, with the wrong labels found since counted for it; ours are those above, and where it must answer those of
`card.json`. Shares have 95 % bounds. `make eval-peers` prints this, and runs that prototype and a blob counter beside
ours on the photographs:
"""

_AGAIN = """## Making them again

```
make model        # draw, train, leave out, export, choose thresholds, write both cards (many hours on two cores)
make eval-real    # the tables of photographs; the failures as pictures in out/eval-real
make eval         # the simulated test set; its failures in out/eval
make eval-perturbed   # 100,000 perturbed dice (LOOKS=number); goes on where it was broken off
```

`PHOTOS=folder` names the labelled photographs. `left_out` holds the networks that never saw a source, to measure with:
whatever decides over what networks say can so be judged without training. Every step goes on where it was broken off;
where torch finds a GPU, the reader is trained there. The networks that ship came from these steps, taken one by one:
the reader with torch 2.11 on a GPU, the locator with torch 2.13 on a processor. Another torch or processor gives
networks that differ a little.
"""

_OWN = """## Your own dice

Where too many of your dice are asked about, take 20 photographs of them on your tray, from above, thrown anew for each,
and write `values.csv` beside them: `file,values`, then a line such as `IMG_1.jpg,1 3 3 5 6` for each, in any order of
the dice. Then, on any computer with two cores, in some minutes:

```
make install-train
.venv/bin/python -m models.training own --photos FOLDER [--die-px 60]
fairtray run --models out/own
```

The networks that ship find the dice. A photograph is learnt from where they find as many as you wrote and it is clear
which shows what; for the others a table to fill in is written, with pictures. Every fourth photograph is held back:
what the reader made of it before and after is printed, and a taught reader that is wrong while sure on one of those is
not shipped (exit status 1). Its card says what it learnt from. The bar, p and all figures here are those of the
networks that ship: of the taught ones no more is known than what was held back, so play with them where your own dice
are played with.
"""

_LIMITS = """## Limits

* Trained for a camera above the tray: top faces up to 38 degrees off the line of sight. A die leaning less than about
  30 degrees cannot be told from a flat one near the picture's border by a crop alone.
* The face must be known to about 15 % and be at least about 20 px wide; below that, sixes and fives become unsure.
* Pips only: symbols and digits are left unread. Dark red pips on black, and glare that joins pips, are often unsure.
"""


def write_words(folder: Path) -> None:
    """Write `CARD.md` anew from the card beside it."""
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    (folder / "CARD.md").write_text(card_in_words(card), encoding="utf-8")


def card_in_words(card: Mapping[str, Any]) -> str:
    """Return `CARD.md` for a card."""
    files = "\n".join(
        f"* `{name}`: {file['bytes']} bytes, SHA-256 `{file['sha256']}`" for name, file in card["files"].items()
    )
    learnt = "\n".join(
        f"* {SOURCES[s].repository} by {SOURCES[s].attribution}, {SOURCES[s].licence} (`{s}`)" for s in LEARNT
    )
    limits = ", ".join(f"{name} {value:g}" for name, value in card["thresholds"].items())
    figures = card["figures"]
    parts = [_HEAD, files + "\n", _LEARNT, learnt, _NOT_LEARNT, "## Figures\n", *_in_short(figures)]
    parts.append(KEY)
    for name in _TALLIES:
        if name in figures:
            parts.append(_shown(TITLES[name], _tallied(figures[name], name)))
        if name == "left_out" and name in figures.get("confusion", {}):
            parts.append(
                _shown("Label against answer there, without `epanemu`", confusion_table(figures["confusion"][name]))
            )
    if "left_out" in figures:
        parts += [_BESIDE, f"```\n{left_out_table(figures)}\n```\n"]
    parts += _measured_later(figures)
    parts += [_HOW, _SEEN, f"Thresholds: {limits}.\n", *_honest(figures, card["thresholds"]["sure"])]
    parts += [_AGAIN, _OWN, _LIMITS]
    return "\n".join(parts)


def _in_short(figures: Mapping[str, Any]) -> list[str]:
    """Return the accuracy on sources left out in a sentence, and how often nothing was said beside it."""
    rows = [Tally(**counts) for source, counts in figures.get("left_out", {}).items() if source not in ASLANT]
    total = sum(rows, Tally())
    if not total.sure:
        return []
    right = (
        f"{percent(total.right / total.sure)} of the sure values were right ({total.wrong} of {total.sure} wrong, so "
    )
    right += f"at most {percent(at_most(total.wrong, total.sure))}; {total.extra} more where no labelled die lies)"
    sure = f"{percent(total.sure / total.dice)} of {total.dice} dice got one (at least "
    sure += f"{percent(at_least(total.sure, total.dice))})"
    rest = f"Fairtray asks about {percent(total.unsure / total.dice)} and misses {percent(total.missed / total.dice)}"
    where = "In short, on photographs from above, by networks that never saw their source"
    return [textwrap.fill(f"{where}: {right}; {sure}; {rest}.", 120) + "\n"]


def _measured_later(figures: Mapping[str, Any]) -> list[str]:
    """Return the tables of what is measured of networks that have their card already."""
    parts = []
    if "simulated" in figures:
        told = figures["simulated"]
        parts.append(_shown(TITLES["simulated"], _tallied(told["tallies"], "simulated")))
        for name, kinds in told["unreadable"].items():
            counted = ", ".join(f"{kind} {row['guessed']} of {row['dice']}" for kind, row in kinds.items())
            said = f"Of the dice that must not be read, read though sure ({name}): {counted}."
            parts.append(textwrap.fill(said, 120) + "\n")
    if "perturbed" in figures:
        parts.append(_shown(TITLES["perturbed"], sweep.words(figures["perturbed"])))
    return parts


def _honest(figures: Mapping[str, Any], sure: float) -> list[str]:
    """Return what the card tells about p and the bar, if that was measured."""
    if "reliability" not in figures:
        return []
    parts = [_P, "![Reliability, and risk against coverage, on sources left out](reliability.png)\n"]
    parts += [
        _shown(TITLES[name], reliability_table(figures[name])) for name in ("reliability", "reliability_left_out")
    ]
    return [*parts, _shown(TITLES["risk"], risk_table(figures["risk"], sure))]


def _tallied(counts: Mapping[str, Mapping[str, int]], name: str) -> str:
    tallies = {source: Tally(**row) for source, row in counts.items()}
    return tally_table(tallies, list(LEARNT) if name in ("sized", "unsized") else [])


def _shown(title: str, table: str) -> str:
    return f"{title}:\n\n```\n{table}\n```\n"
