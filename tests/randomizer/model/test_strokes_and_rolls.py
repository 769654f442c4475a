"""Whatever is painted, erased and rolled again on a stack of layers: what was painted stays.

Layers are visible or hidden, locked or not, painted or rolled, some of them parts of one roll.
"""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from randomizer.model.edits.edit import Edit
from randomizer.model.hand import targets
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import TOUCHED, Plane
from randomizer.model.rolls.put_layers import put_layers
from randomizer.model.rolls.rolled_layers import first_part, parts_from
from tests.randomizer.map_strategies import TOY, contents
from tests.randomizer.model.toy_layers import GRID

PLANES = ("terrain", "hexside", "elevation")
PARTS = ("hills", "trees", "fields")
kinds = st.sampled_from(["painted", "painted", "rolled", "rolled", "parts"])
patterns = st.binary(min_size=1, max_size=7)
places = st.lists(st.integers(0, 5), min_size=1, max_size=4, unique=True)
values = st.sampled_from([0, 1, 2])


def pattern(name: str, numbers: bytes) -> Plane:
    """A plane with some values and some unset places."""
    spec = TOY.plane(name)
    known = np.array([spec.unset, spec.unset, 1, spec.default, 2], spec.dtype)
    return known[np.resize(np.frombuffer(numbers, np.uint8), spec.shape(GRID)) % len(known)]


class Strokes(RuleBasedStateMachine):
    """``painted``: by plane and place the value that must show, and the layer that holds it."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: dict[tuple[str, int], tuple[int, int]] = {}
        self.rolls = 0

    @initialize(made=st.lists(st.tuples(kinds, patterns), min_size=1, max_size=4))
    def stack(self, made: list[tuple[str, bytes]]) -> None:
        layers: list[Layer] = []
        for kind, numbers in made:
            for part in PARTS if kind == "parts" else ("",):
                roll = None if kind == "painted" else self.roll(part)
                layers.append(self.layer(len(layers) + 1, numbers + part.encode(), roll))
            self.rolls += 1
        self.battlemap = BattleMap.new(TOY, GRID, layers)

    def roll(self, part: str) -> Roll:
        return Roll("", "Toy.rnd", "", {}, 1, self.rolls, part=part)

    def layer(self, layer_id: int, numbers: bytes, roll: Roll | None) -> Layer:
        planes = {name: pattern(name, numbers[n % len(numbers) :]) for n, name in enumerate(PLANES)}
        return Layer(layer_id, f"Layer {layer_id}", planes=planes, roll=roll)

    # --- what is done -----------------------------------------------------------------------

    def do(self, edit: Edit, *changed: Layer) -> None:
        """Apply an edit; its inverse restores all, and of locked layers only these change."""
        battlemap = self.battlemap
        first = contents(battlemap)
        locked = self.locked(changed)
        for _ in range(2):
            edit.apply(battlemap)
            edit.inverse().apply(battlemap)
            assert contents(battlemap) == first
        edit.apply(battlemap)
        after = self.locked(changed)
        assert {layer_id: after[layer_id] for layer_id in locked} == locked

    def locked(self, but: tuple[Layer, ...]) -> dict[int, object]:
        others = [each for each in self.battlemap.layers if each.locked and each not in but]
        but_ids = {layer.id for layer in but}
        return {
            each.id: contents(BattleMap.new(TOY, GRID, [each]))
            for each in others
            if each.id not in but_ids
        }

    def owner(self, name: str, place: int) -> int:
        layer = self.battlemap.owner(name, place)
        return 0 if layer is None else layer.id

    @rule(data=st.data(), name=st.sampled_from(PLANES), where=places, value=values)
    def paint(self, data: st.DataObject, name: str, where: list[int], value: int) -> None:
        battlemap = self.battlemap
        active = self.some(data).id
        before = battlemap.composite()
        index = np.array(where)
        refused = targets.why_not(battlemap, active)
        left = set(targets.left_out(battlemap, active, name, index).elements.tolist())
        edit = targets.paint(battlemap, active, name, index, value)
        if edit is not None:
            assert not refused
            self.do(edit)
        if refused:
            return
        wanted = before.planes[name].copy()
        for place in set(where) - left:
            wanted.flat[place] = value
            self.painted[name, place] = value, self.owner(name, place)
        found = battlemap.composite()
        assert np.array_equal(found.planes[name], wanted)
        for other in set(PLANES) - {name}:
            assert np.array_equal(found.planes[other], before.planes[other])
        for place in left:
            layer = battlemap.owner(name, place)
            assert layer is not None
            assert layer.locked

    @rule(data=st.data(), name=st.sampled_from(PLANES), where=places)
    def erase(self, data: st.DataObject, name: str, where: list[int]) -> None:
        battlemap = self.battlemap
        active = self.some(data).id
        above = battlemap.layers[battlemap.index_of(active) :]
        owners = [battlemap.owner(name, place) for place in where]
        edit = targets.erase(battlemap, active, name, np.array(where))
        if edit is None:
            refused = targets.why_not(battlemap, active, erasing=True)
            assert refused or all(o is None or o not in above or o.locked for o in owners)
            return
        self.do(edit)
        for place, owner in zip(where, owners, strict=True):
            if owner is not None and owner in above and not owner.locked:
                assert owner.planes[name].flat[place] == TOY.plane(name).unset
                assert owner.roll is None or owner.planes[TOUCHED + name].flat[place]
                self.painted.pop((name, place), None)

    @precondition(lambda self: any(layer.roll for layer in self.battlemap.layers))
    @rule(data=st.data(), numbers=patterns)
    def roll_it_again(self, data: st.DataObject, numbers: bytes) -> None:
        battlemap = self.battlemap
        rolled = [layer for layer in battlemap.layers if layer.roll]
        chosen = battlemap.layer(first_part(battlemap, data.draw(st.sampled_from(rolled)).id))
        positions = parts_from(battlemap, chosen.id)
        old = [battlemap.layers[position] for position in positions]
        if len(old) == 1 and chosen.locked:
            return  # the desk refuses that
        self.rolls += 1
        before = battlemap.composite()
        fresh = [
            self.layer(0, numbers + bytes([n]), self.roll(each.roll.part))
            for n, each in enumerate(old)
            if each.roll is not None
        ]
        step = put_layers(battlemap, chosen.id, fresh, replaces=True)
        owners = {at: battlemap.owner(*at) for at in self.painted}
        self.do(step.edit, *old)
        after = battlemap.composite()
        for layer in old:
            again = battlemap.layer(layer.id)
            for field in ("visible", "opacity", "locked"):
                assert getattr(again, field) == getattr(layer, field)
        if not any(layer.visible for layer in old):
            assert before.same_as(after)
        for at, (value, _layer) in list(self.painted.items()):
            owner = owners[at]
            assert owner is not None
            there = [layer.id for layer in battlemap.layers]
            below = owner not in old and there.index(owner.id) < there.index(old[0].id)
            if below and self.owner(*at) != owner.id:
                del self.painted[at]  # a roll above has covered it
                continue
            assert after.planes[at[0]].flat[at[1]] == value
            self.painted[at] = value, self.owner(*at)
        for name in PLANES if len(old) == 1 and chosen.visible else ():
            marks = chosen.planes.get(TOUCHED + name)
            if marks is not None:
                where = marks > 0
                assert np.array_equal(before.planes[name][where], after.planes[name][where])

    @rule(data=st.data(), field=st.sampled_from(["visible", "visible", "locked"]))
    def switch(self, data: st.DataObject, field: str) -> None:
        layer = self.some(data)
        setattr(layer, field, not getattr(layer, field))
        for at, (value, owner) in list(self.painted.items()):
            if self.owner(*at) != owner:
                del self.painted[at]
            else:
                assert self.battlemap.values(at[0]).flat[at[1]] == value

    def some(self, data: st.DataObject) -> Layer:
        return data.draw(st.sampled_from(self.battlemap.layers))


Strokes.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
TestStrokes = Strokes.TestCase
