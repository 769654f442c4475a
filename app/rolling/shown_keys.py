"""Which map of a rolled layer comes before or after another: those it has shown, else by number."""

from __future__ import annotations

from randomizer.generator import DrawKey


class ShownKeys:
    """The keys that rolled layers showed, in the order in which one steps, by layer id.

    A key that could not be rolled from a script's text is passed over until something was rolled.
    """

    def __init__(self) -> None:
        self._shown: dict[int, list[DrawKey]] = {}
        self._failed: tuple[str, int, DrawKey] | None = None

    def clear(self) -> None:
        """Forget what layers showed."""
        self._shown.clear()

    def before(self, layer_id: int, current: DrawKey) -> DrawKey | None:
        """The key shown before ``current``, else that of the number before; None for number 0."""
        shown = self._shown.get(layer_id, [])
        if current in shown and shown.index(current) > 0:
            return shown[shown.index(current) - 1]
        return current._replace(number=current.number - 1) if current.number else None

    def after(self, layer_id: int, current: DrawKey, text: str) -> DrawKey:
        """The key shown after ``current``, else the next one of ``text``."""
        shown = self._shown.get(layer_id, [])
        if current in shown and shown.index(current) + 1 < len(shown):
            return shown[shown.index(current) + 1]
        return self.next(layer_id, current, text)

    def next(self, layer_id: int, current: DrawKey, text: str) -> DrawKey:
        """The next number of the seed; one that failed with this script's text is passed over."""
        if self._failed is not None and self._failed[:2] == (text, layer_id):
            failed = self._failed[2]
            if failed.seed == current.seed and failed.number > current.number:
                current = failed
        return current._replace(number=current.number + 1)

    def fail(self, layer_id: int, key: DrawKey, text: str) -> None:
        """The layer could not be rolled as ``key`` of this script's text."""
        self._failed = (text, layer_id, key)

    def add(self, layer_id: int, before: DrawKey | None, key: DrawKey, *, back: bool) -> None:
        """The layer shows ``key`` after it showed ``before`` (None: the layer is new).

        A key that is new stands behind ``before``, or ahead of it if one stepped ``back``.
        """
        self._failed = None
        shown = self._shown.setdefault(layer_id, [])
        if before is None:
            shown[:] = [key]
            return
        if before not in shown:
            shown[:] = [before]
        if key not in shown:
            shown.insert(shown.index(before) + (0 if back else 1), key)
