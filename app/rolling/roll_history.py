"""The keys of the earlier rolls of the current map, through which a person steps back and forward.

    history.note_key(layer.id, DrawKey(17, 3), DrawKey(17, 4))     # it was rolled again
    history.previous_key(layer, script_text)                       # seed 17 no. 3
    history.following_key(layer, script_text)                      # seed 17 no. 5

``RollPlacement`` notes every roll that it puts into the map. ``Rolling`` steps through the keys.

A key can fail: no map of that seed and number keeps the locks, or the script has an error in it.
The map stays as it is then, so that the next step would ask for the same key again and never come
past it. So the keys that failed are passed over, until something is rolled or the script changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.document.document import MapDocument
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.rolled_layers import rolled_layer


def key_of(layer: Layer) -> DrawKey:
    """Return seed and number of a rolled layer."""
    assert layer.roll is not None
    return DrawKey(layer.roll.seed, layer.roll.number)


class RollHistory:
    """The keys that the rolled layers of the current map had.

    Steps go through these keys, and beyond them number by number. It belongs to ``Rolling``, which
    clears it when another map becomes current.
    """

    def __init__(self, document: MapDocument) -> None:
        self._document = document
        self._keys: dict[int, list[DrawKey]] = {}
        """The keys that each layer had, by its id, in the order of steps; each key occurs once."""
        self._failed_rolls: _FailedRolls | None = None
        """The rolls that failed since something was rolled, None without one."""

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._keys.clear()
        self._failed_rolls = None

    def rolled_layer(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def has_previous_key(self, layer: Layer) -> bool:
        """Return whether a key is noted that the layer had before its own.

        False for a roll that was read from a file.
        """
        return bool(self._noted_keys_before(layer))

    def previous_key(self, layer: Layer, text: str) -> DrawKey | None:
        """Return the key that the layer had before its own; where none is noted, the last number.

        ``text`` is that of the script: only what failed with it is passed over. None if there is no
        number before, as before number 0.
        """
        failed_keys = self._failed_keys(layer, text)
        noted_keys = self._noted_keys_before(layer)
        for key in reversed(noted_keys):
            if key not in failed_keys:
                return key
        # No noted key is left: on from the first of all, down its seed.
        first_key = key_of(layer)
        if noted_keys:
            first_key = noted_keys[0]
        for number in range(first_key.number - 1, -1, -1):
            key = first_key._replace(number=number)
            if key not in failed_keys:
                return key
        return None

    def following_key(self, layer: Layer, text: str) -> DrawKey:
        """Return the key that the layer had after its own; where none is noted, the next number.

        ``text`` is that of the script, as for ``previous_key``.
        """
        current_key = key_of(layer)
        keys = self._keys.get(layer.id, [])
        if current_key in keys:
            failed_keys = self._failed_keys(layer, text)
            for key in keys[keys.index(current_key) + 1 :]:
                if key not in failed_keys:
                    return key
        return self.next_key(layer, text)

    def next_key(self, layer: Layer, text: str) -> DrawKey:
        """Return the key with the next number of the seed, whatever keys are noted.

        If later numbers have failed with this text of the script, it is the one after the last of
        them. A search under locks fails after all numbers that it has tried: to begin it again
        between them would be in vain.
        """
        current_key = key_of(layer)
        last_number = current_key.number
        for key in self._failed_keys(layer, text):
            if key.seed == current_key.seed:
                last_number = max(last_number, key.number)
        return current_key._replace(number=last_number + 1)

    def _noted_keys_before(self, layer: Layer) -> list[DrawKey]:
        """Return the keys that the layer had before its own, the first one first."""
        keys = self._keys.get(layer.id, [])
        if key_of(layer) not in keys:
            return []
        return keys[: keys.index(key_of(layer))]

    def _failed_keys(self, layer: Layer, text: str) -> set[DrawKey]:
        """Return the keys that failed for a layer with this text since something was rolled."""
        failed_rolls = self._failed_rolls
        if failed_rolls is None or not failed_rolls.are_of(layer.id, text):
            return set()
        return failed_rolls.keys

    def note_failure(self, layer_id: int, key: DrawKey, text: str) -> None:
        """Note that a layer could not be rolled as ``key`` of this text of the script."""
        if self._failed_rolls is None or not self._failed_rolls.are_of(layer_id, text):
            self._failed_rolls = _FailedRolls(layer_id, text)
        self._failed_rolls.keys.add(key)

    def note_new_layer(self, layer_id: int, key: DrawKey) -> None:
        """Note the key of a new layer."""
        self._failed_rolls = None
        self._keys[layer_id] = [key]

    def note_key(
        self,
        layer_id: int,
        previous_key: DrawKey,
        key: DrawKey,
        *,
        requested: DrawKey | None = None,
        is_step_back: bool = False,
    ) -> None:
        """Note that a layer has ``key`` now, and had ``previous_key`` until now.

        A new key replaces all that followed on the previous one, as a new page does in a browser;
        ``is_step_back`` puts it before the previous one::

            17.3  17.4*  17.5      the layer has seed 17 no. 4 (*)
            17.3  17.4   20.0*     another one is rolled
            17.2* 17.3   17.5      from 17.3, a step back goes to a map that was not noted yet

        Under locks it can be another key than the ``requested`` one (None: it is the same): the
        search goes on from there, number by number, until a map keeps the locks. The maps between
        the two break the locks, so that their keys are removed.
        """
        failed_keys: set[DrawKey] = set()
        if self._failed_rolls is not None:
            failed_keys = self._failed_rolls.keys
        self._failed_rolls = None
        keys = self._keys.setdefault(layer_id, [])
        # Undo and redo bring back keys that were never noted: from there on the steps begin anew.
        if previous_key not in keys:
            keys[:] = [previous_key]
        if requested is not None and requested.seed == key.seed:
            _remove_broken_keys(keys, requested, key, kept_key=previous_key)
        if key in keys:
            return  # the step went to a key that is noted already
        position = keys.index(previous_key)
        if is_step_back:
            # The step has passed over noted keys that failed: it lies before those, too.
            while position and keys[position - 1] in failed_keys:
                position -= 1
            keys.insert(position, key)
        else:
            keys[position + 1 :] = [key]


def _remove_broken_keys(
    keys: list[DrawKey], requested: DrawKey, key: DrawKey, *, kept_key: DrawKey
) -> None:
    """Remove the keys of maps that break the locks: from ``requested`` on, before ``key``.

    Both have the same seed. ``kept_key`` stays in any case.
    """
    broken_numbers = range(requested.number, key.number)
    for noted_key in keys.copy():
        is_broken = noted_key.seed == key.seed and noted_key.number in broken_numbers
        if is_broken and noted_key != kept_key:
            keys.remove(noted_key)


@dataclass
class _FailedRolls:
    """Rolls of one layer from one text that failed one after the other."""

    layer_id: int
    """The id of the layer that they would have replaced."""

    text: str
    """The text of the script."""

    keys: set[DrawKey] = field(default_factory=set)

    def are_of(self, layer_id: int, text: str) -> bool:
        """Return whether these are rolls of this layer from this text."""
        return self.layer_id == layer_id and self.text == text
