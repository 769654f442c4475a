"""What is to be rolled: a recipe (generator and settings), and a request with all decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from app.document.undo_history import MergeKey
from randomizer.generator import Base, DrawKey, MapGenerator
from randomizer.model.battlemap import BattleMap
from randomizer.model.dice import SEED_LIMIT
from randomizer.model.edit import Edit
from randomizer.model.edit_making import compound
from randomizer.model.layer import NO_TEXTS
from randomizer.model.map_records import MapRecord
from randomizer.model.plurals import with_article
from randomizer.model.problems import error
from randomizer.model.record_edits import change_record, set_record
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
                f"{generator.metadata.name} makes {with_article(generator.system.title)}; "
                f"this map is {with_article(base.system.title)}",
            )
        return generator, checked_settings(generator.settings, self.settings)


@dataclass(frozen=True)
class ScriptChange:
    """The script that the map holds gets another text, and the map is rolled from it.

    ``records`` are the records that change, by name; None: it is removed. ``merge`` says which undo
    step it goes on with; ``title`` is the text of that step. ``loads`` is True for another script,
    False for an edit of the one that the map holds.
    """

    records: Mapping[str, MapRecord | None]
    merge: MergeKey
    title: str
    loads: bool = False

    def edit(self, battlemap: BattleMap) -> Edit | None:
        """The edit of the records; None if they are so already. Raises ValueError."""
        edits: list[Edit | None] = []
        for name, wanted in self.records.items():
            before = battlemap.records.get(name)
            if before is None or wanted is None or not wanted.touched:
                edits.append(set_record(battlemap, name, wanted))
            else:
                edits.append(change_record(battlemap, name, wanted.text))
        return compound(edits)

    def over(self, base: Base) -> Base:
        """``base`` as it will be when the records have changed."""
        records = {name: each for name, each in base.records.items() if name not in self.records}
        touched = ((n, each) for n, each in self.records.items() if each and each.touched)
        return replace(base, records={**records, **dict(touched)})


@dataclass(frozen=True)
class RollRequest:
    """One roll: which map of a recipe, onto what, and where the result goes.

    ``layer_id`` is the layer that is replaced (``replaces``), or else the one just below the new
    layer. ``verb`` begins the text of the undo step. ``back`` is the key of the map shown now when
    one steps back: if map ``key`` does not keep the locks, the last map before ``back`` that does
    is taken. ``forced`` rolls freely and puts what is locked back on map ``key``. ``change`` comes
    into the map together with the roll. With ``opens`` the roll is opened as a new map,
    ``replaces`` is about the map in front if that is as it was rolled, and ``layer_id`` means
    nothing.
    """

    recipe: Recipe
    key: DrawKey
    layer_id: int
    replaces: bool
    base: Base
    verb: str
    back: DrawKey | None = None
    forced: bool = False
    change: ScriptChange | None = None
    opens: bool = False
