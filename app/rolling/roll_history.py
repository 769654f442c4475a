"""The keys of the earlier rolls of the current map, through which a person steps back and forward.

    history.note_key(layer.id, DrawKey(17, 3), DrawKey(17, 4))     # it was rolled again
    history.previous_key(layer)                                    # seed 17 no. 3
    history.following_key(layer, script_text)                      # seed 17 no. 5

``RollPlacement`` notes every roll that it puts into the map. ``Rolling`` steps through the keys.
"""

from __future__ import annotations

from typing import NamedTuple

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

    Steps go through these keys, and beyond them number by number; a key that could not be rolled is
    passed over until the next roll. It belongs to ``Rolling``, which clears it when another map
    becomes current.
    """

    def __init__(self, document: MapDocument) -> None:
        self._document = document
        self._keys: dict[int, list[DrawKey]] = {}
        """The keys that each layer had, by its id, in the order of steps."""
        self._failed_roll: _FailedRoll | None = None
        """The roll that failed last, None once something was rolled."""

    def clear(self) -> None:
        """Forget all layers: another map is current."""
        self._keys.clear()
        self._failed_roll = None

    def target(self) -> Layer | None:
        """Return the layer that a roll replaces, None if it would be a new layer."""
        return rolled_layer(self._document.battlemap, self._document.active_layer)

    def has_previous_key(self, layer: Layer) -> bool:
        """Return whether a key is noted that the layer had before its own.

        For a roll that came with the file of the map no earlier one is.
        """
        keys = self._keys.get(layer.id, [])
        return key_of(layer) in keys[1:]

    def previous_key(self, layer: Layer) -> DrawKey | None:
        """Return the key that the layer had before its own; where none is noted, the last number.

        None for number 0, before which there is none.
        """
        current_key = key_of(layer)
        if self.has_previous_key(layer):
            keys = self._keys[layer.id]
            return keys[keys.index(current_key) - 1]
        if current_key.number:
            return current_key._replace(number=current_key.number - 1)
        return None

    def following_key(self, layer: Layer, text: str) -> DrawKey:
        """Return the key that the layer had after its own; where none is noted, the next number.

        ``text`` is that of the script, as for ``next_number``.
        """
        current_key = key_of(layer)
        keys = self._keys.get(layer.id, [])
        if current_key in keys and current_key != keys[-1]:
            return keys[keys.index(current_key) + 1]
        return self.next_number(layer, text)

    def next_number(self, layer: Layer, text: str) -> DrawKey:
        """Return the key with the next number of the seed.

        If the roll of a later number has failed with this text of the script, it is the number
        after that one.
        """
        last_key = key_of(layer)
        failed_roll = self._failed_roll
        if (
            failed_roll is not None
            and failed_roll.text == text
            and failed_roll.layer_id == layer.id
            and failed_roll.key.seed == last_key.seed
            and failed_roll.key.number > last_key.number
        ):
            last_key = failed_roll.key
        return last_key._replace(number=last_key.number + 1)

    def note_failure(self, layer_id: int, key: DrawKey, text: str) -> None:
        """Note that a layer could not be rolled as ``key`` of this text of the script."""
        self._failed_roll = _FailedRoll(text, layer_id, key)

    def note_new_layer(self, layer_id: int, key: DrawKey) -> None:
        """Note the key of a new layer."""
        self._failed_roll = None
        self._keys[layer_id] = [key]

    def note_key(
        self,
        layer_id: int,
        previous_key: DrawKey,
        key: DrawKey,
        *,
        requested: DrawKey | None = None,
        back: bool = False,
    ) -> None:
        """Note that a layer has ``key`` now, and had ``previous_key`` until now.

        A new key replaces all that followed on the previous one, as a new page does in a browser;
        after a step ``back`` it is put before the previous one. Under locks it can be another key
        than the ``requested`` one (None: it is the same): the maps between the two break the locks,
        so that their keys are removed.
        """
        self._failed_roll = None
        keys = self._keys.setdefault(layer_id, [])
        # Undo and redo bring back keys that were never noted: from there on the steps begin anew.
        if previous_key not in keys:
            keys[:] = [previous_key]
        if requested is not None and requested.seed == key.seed:
            broken_numbers = range(requested.number, key.number)
            for noted_key in keys.copy():
                is_broken = noted_key.seed == key.seed and noted_key.number in broken_numbers
                if is_broken and noted_key != previous_key:
                    keys.remove(noted_key)
        if key in keys:
            return  # the step went to a key that is noted already
        position = keys.index(previous_key)
        if back:
            keys.insert(position, key)
        else:
            keys[position + 1 :] = [key]


class _FailedRoll(NamedTuple):
    """A roll that failed."""

    text: str
    """The text of the script."""

    layer_id: int
    """The id of the layer that it would have replaced."""

    key: DrawKey
