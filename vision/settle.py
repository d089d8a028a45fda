"""When all dice lie still: which of them were thrown, which stayed, and which are the ones that lay there before."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from vision.entry import hidden_dice, lay_there
from vision.rest import likeness
from vision.resting import SAME_LOOK, SAME_PLACE, SET, Changed, Resting, Settlement, apart
from vision.track import MOVED, Track

UNCHANGED_LOOK = 0.98
"""From here on not even a turned face hides in the likeness."""
UPON = 0.7
"""Faces between the centres of a die and one that lies upon it."""
IN_PLACE = 0.35
"""A die that a hand turned on the spot lies within this of where it lay."""
KNOCKED = 1.5
"""Faces that a die which is hit while it lies is pushed, mostly."""
ROLLED_ON = 1.0
"""Faces that a die which a throw hit rolls on away from the hand that threw; one that a hand turns stays with it."""
SLID_STEPS = 8
"""A die followed for so many steps that tumbled in none was slid, if it stayed with a hand: of 1300 dice of simulated
throws one that went less than a face by itself was seen for so many without tumbling, all others for 6 at most, and one
slid across the tray for 15, in a trial that no command repeats."""
SLID_SHARE, SLID_TURNS = 0.2, 1 / 3
"""Share of the steps of a die that a hand slid in which it may seem to tumble, as fingers hide some of it, and of its
looks of some time ago that it may be unlike: chosen, one of 13 steps and two of 13 and one of 3 looks where that was
met."""


def settle(
    before: Sequence[Resting],
    taken: Sequence[Resting],
    now: Sequence[Resting],
    tracks: Sequence[Track],
    first_id: int,
    away: Sequence[int] = (),
    start: int = 1,
    over: Sequence[Track] = (),
    lost: Sequence[Track] = (),
) -> Settlement:
    """Tell which die is which; `tracks` are those of the dice `now`, `lost` those that ended since the last rest, and
    `first_id` is the next free number.

    `taken` are the dice that hands have lifted since the last throw: set down again, all with values that those
    showed, they are the same. `away` are the numbers of dice that left the tray and are out of view: set down by hand,
    whatever they show, they are back. `over` are the tracks of dice that went over the rim: where it is sure which
    those are, they are none of those that lie elsewhere now. Where none flew of those that lie there, but one that did
    was hidden before it lay still, they were thrown.

    A die is the one that lay there before where it lies in the same place and looks the same, where it was followed
    all the way, or where it was put there by hand and shows what a die showed that a hand took. All others that moved
    freely, or show what no die showed before, were thrown. At the very start (`first_id` is still the `start`) dice
    that were never seen moving were simply lying there.
    """
    matching = _Matching(list(before), list(now), tracks)
    covered = matching.covered(taken)
    matching.uncovered()
    matching.by_place()
    matching.by_track()
    strange = min(len(over) - matching.rule_out(over), SET - len(now))
    flying = matching.flying(taken, lost)
    unseen = not flying and bool(hidden_dice(lost, over))
    placed = set() if unseen else matching.placed(flying)
    matching.by_value(placed, holding=bool(taken), strange=strange > 0)
    if not (flying or unseen):
        matching.put_back(taken)
        matching.bring_back(away)
    matching.by_hit(taken)
    thrown = set(matching.unknown)
    if first_id == start and not flying and not any(tracks[i].first.near_body for i in thrown):
        thrown = set()
    ids = matching.numbered(first_id)
    handled = [die_id in matching.handled for die_id in ids]
    dice = tuple(
        replace(die, id=die_id, touched=False, covered=False, handled=had and die.value is None)
        for die, die_id, had in zip(now, ids, handled, strict=True)
    )
    hidden = matching.hidden(thrown, first_id + len(matching.unknown), SET - len(now) - len(covered))
    thrown_ids = tuple(sorted([*(ids[i] for i in thrown), *(die.id for die in hidden if die.id is not None)]))
    covered = [replace(die, touched=False, knocked=False, covered=True) for die in (*covered, *hidden)]
    return Settlement(
        dice=dice,
        thrown=thrown_ids,
        kept=tuple(sorted({die.id for die in (*dice, *covered) if die.id is not None and die.id not in thrown_ids})),
        moved=tuple(sorted(matching.moved)),
        changed=tuple(matching.changed),
        gone=(*matching.left, *matching.out),
        lifted=matching.lifted(taken),
        handled=tuple(die.id for die in dice if die.id in matching.handled and die.value is not None),
        covered=tuple(covered),
    )


class _Matching:
    """Dice of the last rest (`left`: those not found yet; `out`: those that left the tray) against dice of now
    (`unknown`: those not recognised; `in_place`: those that lie where they lay; `doubted`: numbers of the old ones that
    the unknown may be, turned by a hand; `turned`: those unknown that may be one turned where it lay)."""

    def __init__(self, before: list[Resting], now: list[Resting], tracks: Sequence[Track]) -> None:
        self.left = before
        self.out: list[Resting] = []
        self.now = now
        self.tracks = tracks
        self.unknown = list(range(len(now)))
        self.ids: dict[int, int] = {}
        self.moved: list[tuple[int, bool]] = []
        self.changed: list[Changed] = []
        self.handled: set[int] = set()
        self.upon: set[int] = set()
        self.in_place: set[int] = set()
        self.doubted: set[int | None] = set()
        self.turned: set[int] = set()

    def covered(self, taken: Sequence[Resting]) -> list[Resting]:
        """The dice that lie under those now stacked, which lay so or came from a hand or flew there: they are not
        gone."""
        found = []
        for index in self.unknown:
            die = self.now[index]
            if die.state != "stacked":
                continue
            came = bool(taken) or self.tracks[index].flew
            under = [old for old in self.left if apart(die, old) <= UPON and old.state != "stacked"]
            under = [old for old in under if came or old.covered or old.laid_open]
            old = min(under, key=lambda d: (apart(die, d), d.id), default=None)
            if old is not None:
                self.left.remove(old)
                self.upon.add(index)
                itself = likeness(die.look, old.look) > SAME_LOOK  # what had seemed laid open was the upper one, pushed
                found.append(replace(old, laid_open=old.laid_open and not itself))
        return found

    def uncovered(self) -> None:
        """What lay under a die that is gone, or could not be read beside it, seen for the first time as it lies."""
        for index in list(self.unknown):
            die = self.now[index]
            hidden = [old for old in self.left if old.covered or (old.touched and old.state == "unknown")]
            under = [old for old in hidden if apart(die, old) <= UPON]
            flew = self.tracks[index].flew and self.tracks[index].free is not None
            if under and not flew and die.state != "stacked":
                self._take(index, min(under, key=lambda d: (apart(die, d), d.id)))

    def hidden(self, thrown: set[int], first_id: int, most: int) -> list[Resting]:
        """The dice that nobody saw come to rest under others thrown with them, at `most` so many: numbered from
        `first_id`, where those lie."""
        under = [self.now[index] for index in sorted(thrown - self.upon) if self.now[index].state == "stacked"]
        unread = [replace(die, state="unknown", reading=replace(die.reading, p=0.0)) for die in under[: max(0, most)]]
        return [replace(die, id=first_id + n) for n, die in enumerate(unread)]

    def by_place(self) -> None:
        """The same place, and look or value; or the place alone, where a hand turned the die and nothing was thrown.

        What rolled there may show by chance what the die showed, or look like it while it shows another value, be it
        followed as that die where the two may have changed places; no die is there that was followed to elsewhere.
        Where others were thrown, it may be one of these or the old one turned: nobody can tell. One that was followed
        as that one all the time never flew, however it moved.
        """
        for index in list(self.unknown):
            die = self.now[index]
            old = self._nearest(die)
            if old is None or self._is_elsewhere(old, index):
                continue
            off, track = apart(die, old), self.tracks[index]
            rolled_in = track.travel > 2 * MOVED if track.die is None else track.doubtful and track.travel > MOVED
            same = die.value is not None and die.value == old.value
            looks_so = likeness(die.look, old.look) > SAME_LOOK
            alike = off <= SAME_PLACE and ((same and looks_so) if rolled_in else (same or looks_so))
            itself = track.die is not None and track.die == old.id
            turned = off <= IN_PLACE and old.touched and (itself or not (track.flew and track.stirred))
            if alike or (turned and not self._others_flew(index)):
                self._take(index, old)
                self.in_place.add(index)
            elif turned:
                self.doubted.add(old.id)
                self.turned.add(index)

    def by_track(self) -> None:
        """Followed from where it lay to where it lies: without doubt, or slid there showing what it showed.

        Were the slid one another with that value, nothing would be ruled otherwise. But one that shows another, beside
        the hand that threw others, may be one of these, come to lie where a die was that they hit. One that may have
        become something else is itself nevertheless where all dice are there, and were seen elsewhere then.
        """
        for index in list(self.unknown):
            die, track = self.now[index], self.tracks[index]
            old = next((d for d in self.left if d.id == track.die and d.id is not None), None)
            if old is None:
                continue
            same = die.value is not None and die.value == old.value
            slid = track.by_hand and not track.rolled and same
            another = track.by_hand and not same and self._others_flew(index)
            sure = not track.doubtful or (len(self.now) >= SET and track.surely(self._moved_besides(index)))
            if slid or (sure and not another):
                self._take(index, old, moved=True)
            elif not track.doubtful:
                self.doubted.add(old.id)

    def rule_out(self, over: Sequence[Track]) -> int:
        """What left the tray before one's eyes lies nowhere else; how many of these tracks that is known of.

        Where all dice are accounted for, one that may have become something else is itself if they were seen elsewhere
        then.
        """
        known = [track for track in over if track.die is not None]
        whole, moved = len(self.now) + len(known) >= SET, self._moved_besides()
        out = set()
        for track in known:
            others = [*moved, *(other for other in known if other is not track)]
            if not track.doubtful or (whole and track.surely(others)):
                out.add(track.die)
        self.out = [die for die in self.left if die.id in out]
        self.left = [die for die in self.left if die.id not in out]
        return len(out)

    def flying(self, taken: Sequence[Resting], lost: Sequence[Track]) -> set[int]:
        """Those of the unknown that were thrown: none where a hand slid them, however they looked between its fingers,
        while it held more dice, `taken` before or now, which whoever throws lets go; nor where none rolled and all show
        what dice showed that a hand moved now or had taken. `lost`: tracks that ended, maybe of one that rolled."""
        values = Counter(self.now[index].value for index in self.unknown)
        covered, held = _values(self._under_hand()), _values(taken)
        let_lie = lay_there([self.tracks[index] for index in self.unknown], lost) and values <= covered + held
        holding = bool(held)
        more = values < covered or (holding and values <= covered)
        beside = all(not self.tracks[index].alone or self._slid(index, holding) for index in self.unknown)
        slid = let_lie or (beside and more)
        return set() if slid else {index for index in self.unknown if self.tracks[index].flew}

    def placed(self, flying: Collection[int]) -> set[int]:
        """Those of the unknown that a hand put there before any was thrown; nobody saw who put down what came while the
        view was lost."""
        seen = (index for index in self.unknown if not self.tracks[index].blind)
        return {i for i in seen if all(self.tracks[i].first_t < self.tracks[thrown].first_t for thrown in flying)}

    def by_value(self, placed: Collection[int], holding: bool, strange: bool) -> None:
        """Put there by hand before the throw, or knocked there: shows what one of the missing dice showed.

        None that lay beside the tray is knocked into it: whoever fetched it threw it. Nor is any where `strange` ones
        left the tray, or the only one that flew while a hand was `holding` dice: this may be what was thrown, and the
        missing one may be out of view.
        """
        for index in list(self.unknown):
            die = self.now[index]
            if index in self.turned:  # it is none that a hand put down there
                continue
            knocked = not strange and (self._others_flew(index) or not holding)
            near = [d for d in self.left if index in placed or (knocked and not (d.touched or d.state == "off_tray"))]
            same = [d for d in near if d.value is not None and d.value == die.value]
            if same:
                old = min(same, key=lambda d: (apart(die, d), d.id))
                self._take(index, old, moved=True, certain=index in placed)

    def put_back(self, taken: Sequence[Resting]) -> None:
        """Set down by hand what a hand had taken, all of it showing what it showed, or all but one that was turned.

        A single die that shows another value was put back turned, unless it is the only one in play, or all dice of the
        game were taken. Nothing is said where nobody saw how one came there.
        """
        if self._came_unseen():
            return
        left = {die.id: die for die in taken if die.id is not None}
        ids: dict[int, int] = {}
        for index in self.unknown:
            value = self.now[index].value
            same = [number for number, die in left.items() if value is not None and die.value == value]
            if same:
                ids[index] = left.pop(min(same)).id or 0
        strange = [index for index in self.unknown if index not in ids]
        alone = len(self.now) > 1 and len(left) == 1
        if len(strange) > 1 or not (ids or alone) or (strange and len(taken) >= SET):
            return
        if strange:
            if len(left) != 1 or self.now[strange[0]].value is None:
                return
            ids[strange[0]] = min(left)
        self.ids |= ids
        self.unknown = []

    def bring_back(self, away: Sequence[int]) -> None:
        """Set down by hand where no more lie there than had left the tray: those `away` and those fetched just now; but
        for what nobody saw come there."""
        if self._came_unseen():
            return
        fetched = [die.id for die in self.left if die.state == "off_tray" and die.id is not None]
        back = [*away, *fetched][: len(self.unknown)]
        if len(back) == len(self.unknown):
            self.ids |= dict(zip(self.unknown, back, strict=True))
            self.left = [die for die in self.left if die.id not in back]
            self.unknown = []

    def by_hit(self, taken: Sequence[Resting]) -> None:
        """Knocked a little way, where more dice lie there than a hand had taken to throw: the nearest that shows what
        the die showed, or another that shows the same while that one was turned. Nothing is said where one of them left
        the tray."""
        if not self._knocked(taken):
            return
        for old in self._under_hand():
            same = [i for i in self.unknown if old.value is not None and self.now[i].value == old.value]
            if len({self.now[i].state == "off_tray" for i in same}) > 1:
                continue
            nearest = min(same, key=lambda i: apart(self.now[i], old), default=None)
            if nearest is not None and apart(self.now[nearest], old) <= KNOCKED:
                self._take(nearest, old, moved=True, certain=False)

    def lifted(self, taken: Sequence[Resting]) -> tuple[Resting, ...]:
        """The dice gone that a hand took: none where they were knocked and are among what seems thrown, nor those that
        may lie there still, turned."""
        gone = () if self._knocked(taken) else self._under_hand()
        return tuple(sorted((die for die in gone if die.id not in self.doubted), key=lambda die: die.id or 0))

    def _under_hand(self) -> list[Resting]:
        return [die for die in self.left if die.touched]

    def _knocked(self, taken: Sequence[Resting]) -> bool:
        """Whether so many more dice seem thrown than a hand had taken as are missing where a hand was."""
        return bool(taken) and len(self.unknown) == len(taken) + len(self._under_hand())

    def numbered(self, first_id: int) -> list[int]:
        """The id of every die of now; those not recognised get new ones, from top to bottom."""
        order = sorted(self.unknown, key=lambda i: (self.now[i].y, self.now[i].x))
        fresh = {index: first_id + n for n, index in enumerate(order)}
        return [self.ids[i] if i in self.ids else fresh[i] for i in range(len(self.now))]

    def _came_unseen(self) -> bool:
        """Whether nobody knows how one of the unknown came where it lies."""
        return any(self.tracks[index].unseen or self.tracks[index].blind for index in self.unknown)

    def _is_elsewhere(self, old: Resting, index: int) -> bool:
        """Whether a die was surely followed to the place of another than of this index."""
        others = (track for i, track in enumerate(self.tracks) if i != index)
        return any(track.die == old.id and not track.doubtful for track in others)

    def _nearest(self, die: Resting) -> Resting | None:
        return min(self.left, key=lambda d: (apart(die, d), d.id), default=None)

    def _take(self, index: int, old: Resting, moved: bool = False, certain: bool = True) -> None:
        die = self.now[index]
        assert old.id is not None
        self.left.remove(old)
        self.unknown.remove(index)
        self.ids[index] = old.id
        if moved and (apart(die, old) > SAME_PLACE or not certain):
            self.moved.append((old.id, certain))
        unlike = apart(die, old) > SAME_PLACE or likeness(die.look, old.look) <= UNCHANGED_LOOK
        if old.handled or (old.value is None and not old.covered and old.touched and unlike):
            self.handled.add(old.id)
        if "off_tray" in (die.state, old.state):
            return
        if die.value is not None and old.value is not None and die.value != old.value:
            by_hand = (old.touched or self.tracks[index].by_hand) and not self._hit(index)
            self.changed.append(Changed(old.id, old.value, die.value, "hand" if by_hand else "hit"))

    def _hit(self, index: int) -> bool:
        """Whether a die that lay there rolled on by itself while others were thrown, though a hand was over it."""
        return self.tracks[index].travel >= ROLLED_ON and self._others_flew(index)

    def _slid(self, index: int, holding: bool) -> bool:
        """Whether a hand slid it all the way, though it was not seen to touch it at every step. One that was `holding`
        dice meanwhile did, too, where it went farther or seemed to tumble once."""
        track = self.tracks[index]
        little = track.travel < ROLLED_ON and track.tumbles == 0
        plainly = track.turned <= SLID_TURNS * track.looked and track.tumbles <= SLID_SHARE * track.steps
        return track.by_hand and track.steps >= SLID_STEPS and (little or (holding and plainly))

    def _moved_besides(self, index: int | None = None) -> list[Track]:
        """The tracks of all dice that do not lie where they lay, but for that of this index."""
        return [track for i, track in enumerate(self.tracks) if i != index and i not in self.in_place]

    def _others_flew(self, index: int) -> bool:
        """Whether dice that did not lie there were thrown."""
        others = (self.tracks[i] for i in self.unknown if i != index)
        return any(other.flew and other.die is None for other in others)


def _values(dice: Sequence[Resting]) -> Counter[int | None]:
    """What dice show, as far as it is known."""
    return Counter(die.value for die in dice if die.value is not None)
