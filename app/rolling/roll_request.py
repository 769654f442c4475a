"""What is to be rolled: a recipe (generator and settings), and a request with all decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from randomizer.generator import Base, DrawKey, MapGenerator
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.layer import NO_TEXTS
from randomizer.model.problems import error
from randomizer.model.setting import checked_settings


@dataclass(frozen=True)
class Recipe:
    """A generator with its settings; a key and a base added give one map.

    ``text`` is the script's text, ``script_name`` its file name: both are "" for a generator
    without a script. ``texts`` are its further files, by name. ``generator`` makes the generator;
    it is called on a job's thread and raises ProblemError. ``replaces`` is True if a new roll
    replaces the rolled layer instead of lying on top of it, because the generator would take that
    layer for ground. ``searches`` is True if the generator tries map after map for one that keeps
    the locks. Chance chooses among the seeds below ``seeds``.
    """

    text: str
    generator: Callable[[], MapGenerator]
    settings: Mapping[str, object]
    script_name: str = ""
    replaces: bool = False
    searches: bool = False
    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    seeds: int = SEED_LIMIT

    def generator_for(self, base: Base) -> tuple[MapGenerator, dict[str, object]]:
        """The generator and its checked settings, to roll onto ``base``.

        Raises ProblemError if there is no generator, if it makes maps of another system than that
        of ``base``, or if a setting is wrong.
        """
        generator = self.generator()
        if generator.system is not base.system:
            raise error(
                "other-system",
                f"{generator.metadata.name} makes a {generator.system.title}; "
                f"this map is a {base.system.title}",
            )
        return generator, checked_settings(generator.settings, self.settings)


@dataclass(frozen=True)
class RollRequest:
    """One roll: which map of a recipe, onto what, and where the result goes.

    ``layer_id`` is the layer that is replaced (``replaces``), or else the one just below the new
    layer. ``verb`` begins the text of the undo step. ``back`` is the key of the map shown now when
    one steps back: if map ``key`` does not keep the locks, the last map before ``back`` that does
    is taken. ``forced`` rolls freely and puts what is locked back on map ``key``.
    """

    recipe: Recipe
    key: DrawKey
    layer_id: int
    replaces: bool
    base: Base
    verb: str
    back: DrawKey | None = None
    forced: bool = False
