"""Which maps each rolled layer has shown, so that one can step back and forth between them."""

from __future__ import annotations

from randomizer.generator import DrawKey


class ShownKeys:
    """The keys that rolled layers showed, in the order in which one steps, by layer id."""

    def __init__(self) -> None:
        self._shown: dict[int, list[DrawKey]] = {}

    def clear(self) -> None:
        """Forget all layers."""
        self._shown.clear()

    def before(self, layer_id: int, current: DrawKey) -> DrawKey | None:
        """The key shown before ``current``, else that of the number before; None for number 0."""
        shown = self._shown.get(layer_id, [])
        if current in shown and shown.index(current) > 0:
            return shown[shown.index(current) - 1]
        return current._replace(number=current.number - 1) if current.number else None

    def after(self, layer_id: int, current: DrawKey) -> DrawKey | None:
        """The key shown after ``current``, None if that was the last."""
        shown = self._shown.get(layer_id, [])
        if current in shown and shown.index(current) + 1 < len(shown):
            return shown[shown.index(current) + 1]
        return None

    def add(self, layer_id: int, before: DrawKey | None, key: DrawKey, *, back: bool) -> None:
        """The layer shows ``key`` after it showed ``before`` (None: the layer is new).

        A key that is new stands behind ``before``, or ahead of it if one stepped ``back``.
        """
        shown = self._shown.setdefault(layer_id, [])
        if before is None:
            shown[:] = [key]
            return
        if before not in shown:
            shown[:] = [before]
        if key not in shown:
            shown.insert(shown.index(before) + (0 if back else 1), key)
