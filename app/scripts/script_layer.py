"""The layer that was rolled from the script shown, compared with that script: ``ScriptLayer``.

layer = script_layer.find()
if layer is not None and not script_layer.is_up_to_date(layer):
    ...     # a roll now would make another map of it
"""

from __future__ import annotations

from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from app.scripts.script import has_same_text, setup_of_roll
from app.scripts.shown_documents import ShownDocuments
from randomizer.model.map.layer import Layer


class ScriptLayer:
    """Finds that layer, and tells whether it shows the text and the settings of now."""

    def __init__(self, documents: ShownDocuments, rolling: Rolling) -> None:
        self._documents = documents
        self._rolling = rolling

    def find(self) -> Layer | None:
        """Return the layer that the next roll replaces if it was rolled from the script shown.

        None if it was not, or if the program cannot roll it now.
        """
        layer = self._rolling.target()
        if layer is None or layer.roll is None or self._rolling.next_roll.why_not():
            return None
        has_name_of_before = layer.roll.script_name in self._documents.current.names
        if has_name_of_before or self._rolling.setup().has_script_of(layer.roll):
            return layer
        return None

    def find_below_variation(self) -> Layer | None:
        """Return the layer that was rolled from the script shown, if a variation lies on it.

        The next roll replaces the variation. None for any other map.
        """
        layer = self._rolling.original_of_target()
        if layer is None or layer.roll is None:
            return None
        if layer.roll.script_name not in self._documents.current.names:
            return None
        return layer

    def is_up_to_date(self, layer: Layer) -> bool:
        """Return whether a layer was rolled from the script as it is now, with these settings.

        Settings that a rolled map can be given afterwards may be others.
        """
        assert layer.roll is not None
        rolled_settings = setup_of_roll(layer.roll).settings
        settings = self._setup().settings
        generator = self._documents.current.generator
        if generator is not None:
            rolled_settings = generator.settings_needing_roll(rolled_settings)
            settings = generator.settings_needing_roll(settings)
        return rolled_settings == settings and self.has_same_text(layer)

    def has_same_text(self, layer: Layer) -> bool:
        """Return whether the script has the text now from which a layer was rolled."""
        assert layer.roll is not None
        setup = self._setup()
        return has_same_text(layer.roll, setup.script_name, setup.text, setup.texts)

    def _setup(self) -> RollSetup:
        """Return the setup of the next roll with the seed and number that are shown."""
        return self._rolling.setup(self._rolling.key_choice.key)
