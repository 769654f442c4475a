"""Reads the catalogue of an installed game: its templates, actors and textures.

    catalog = read_catalog()                               # takes a second; None without a game
    catalog.facts("structures/athen/house").footprint      # the ground that it covers, in tiles

A *template* describes a kind of entities, such as a house; an *actor* is a model that can be shown
by itself, and does nothing in the game. The program reads the catalogue on another thread when a
map of the game is first shown (``read_catalog``). Whoever draws or lists things calls
``latest_catalog``, which never waits: until the catalogue was read the usual looks are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from randomizer.model.things.thing_kind import Footprint
from randomizer.systems.zeroad.installation.game_choices import GAIA
from randomizer.systems.zeroad.installation.game_data import game_data
from randomizer.systems.zeroad.installation.installations import find_installations
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from randomizer.systems.zeroad.installation.mod_paths import TERRAINS
from randomizer.systems.zeroad.installation.script_data import ScriptData

METRES_PER_TILE = 4.0
"""The width of a tile in metres."""

LONGEST_SIDE = 400.0
"""The longest side of a footprint, in metres; a longer one is a mistake of a mod."""

MAX_NAMES = 40_000
"""The largest number of templates that are read; as many actors, and as many textures.

With more, a mod could take all memory. Release 26 has 1,489 templates, 5,232 actors and 618
textures.
"""

_LIST_OF_TEXTURES = "terrains"
"""The name of the file in each folder of textures that is no texture."""


class TemplateFacts(NamedTuple):
    """The values of a template that the program uses."""

    search_text: str
    """The names and the classes of the template, as the game spells them, with blanks between."""
    civ: str
    """The title of its civilisation, such as "Athenians"; "" for none."""
    footprint: Footprint | None
    """The ground that it covers, in tiles; None if the template has none."""
    is_of_water: bool = False
    """True if it swims, or is built at the shore or in the water."""


@dataclass(frozen=True, eq=False)
class GameCatalog:
    """All that a game can place on a map."""

    templates: Mapping[str, TemplateFacts]
    """The templates of entities, by name."""
    actors: frozenset[str]
    """The names of the actors, such as "actor|props/flora/grass.xml"."""
    textures: tuple[str, ...]
    """The names of the terrain textures, sorted."""
    civs: tuple[tuple[str, str], ...]
    """The codes of the civilisations with their titles, such as ("athen", "Athenians")."""

    def facts(self, name: str) -> TemplateFacts | None:
        """Return the facts of the template of a name; None if the game has no such template.

        In a name such as "foundation|house" the template after the last bar counts.
        """
        _filters, _bar, base_name = name.rpartition("|")
        return self.templates.get(base_name)

    def has(self, name: str) -> bool:
        """Return whether the game has a template or an actor of this name."""
        return name in self.actors or self.facts(name) is not None


# --- the latest catalogue -----------------------------------------------------------------------


class _StampedCatalog(NamedTuple):
    """A catalogue, and the state of the mods that it was read from."""

    stamps: tuple[tuple[str, str], ...]
    """The spec and the stamp of each mod."""
    catalog: GameCatalog


_latest: _StampedCatalog | None = None
"""The catalogue that was read last; None if there is none, or no game any more.

One thread sets it (``read_catalog``) while others read it. So each function takes it into a
variable of its own once: looked at twice, it could be None the second time.
"""


def latest_catalog() -> GameCatalog | None:
    """Return the catalogue that ``read_catalog`` read last; None if it has read none."""
    latest = _latest
    if latest is None:
        return None
    return latest.catalog


def forget_catalog() -> None:
    """Let ``read_catalog`` read the game the next time, even if the game has not changed."""
    global _latest
    _latest = None


def read_catalog(
    is_cancelled: Callable[[], bool] = lambda: False, max_names: int = MAX_NAMES
) -> GameCatalog | None:
    """Return the catalogue of the first installed game, read anew if a file of it has changed.

    Reading takes a second, so this is called on another thread; ``is_cancelled`` is asked between
    templates. At most ``max_names`` templates, actors and textures each are read.

    Returns None if there is no game: then there is no latest catalogue either. Also returns None if
    it was cancelled: the latest catalogue stays the former one.
    """
    global _latest
    installations = find_installations()
    if not installations:
        _latest = None
        return None
    mods = installations[0].mods
    stamps = tuple((mod.spec, mod.stamp()) for mod in mods)
    latest = _latest
    if latest is not None and latest.stamps == stamps:
        return latest.catalog
    catalog = _read(mods, is_cancelled, max_names)
    if catalog is not None:
        _latest = _StampedCatalog(stamps, catalog)
    return catalog


# --- reading ------------------------------------------------------------------------------------


def _read(
    mods: tuple[ModFiles, ...], is_cancelled: Callable[[], bool], max_names: int
) -> GameCatalog | None:
    """Return the catalogue of mods, None if it was cancelled; see ``read_catalog``."""
    data = ScriptData(mods)
    civs = game_data(mods).civs
    title_of_civ = {**dict(civs), GAIA: ""}  # what is Gaia's has no civilisation
    templates: dict[str, TemplateFacts] = {}
    for name in data.find_templates("", recurse=True)[:max_names]:
        if is_cancelled():
            return None
        templates[name] = _facts(data.template(name), title_of_civ)

    actors = data.find_actor_templates("", recurse=True)[:max_names]

    textures: set[str] = set()
    for mod in mods:
        for path in mod.list(TERRAINS):
            if path.endswith(".xml"):
                _folder, _slash, file_name = path.rpartition("/")
                textures.add(file_name.removesuffix(".xml"))
    textures.discard(_LIST_OF_TEXTURES)
    return GameCatalog(templates, frozenset(actors), tuple(sorted(textures)[:max_names]), civs)


def _facts(template: object, title_of_civ: Mapping[str, str]) -> TemplateFacts:
    """Return the facts of a template that is merged with its parents (``Templates.get``).

    ``title_of_civ`` are the titles of civilisations by code.
    """
    identity = _element(template, "Identity")
    texts = [identity.get("GenericName"), identity.get("SpecificName")]
    for name in ("Classes", "VisibleClasses"):
        texts.append(_element(identity, name).get("_string"))
    code_of_civ = str(identity.get("Civ") or "")
    return TemplateFacts(
        search_text=" ".join(text for text in texts if isinstance(text, str)),
        civ=title_of_civ.get(code_of_civ, code_of_civ),
        footprint=_footprint(_element(template, "Footprint")),
        is_of_water=_is_of_water(template),
    )


def _is_of_water(template: object) -> bool:
    """Return whether a template moves as ships do, or is built at the shore or in the water."""
    passability = str(_element(template, "UnitMotion").get("PassabilityClass") or "")
    placement = str(_element(template, "BuildRestrictions").get("PlacementType") or "")
    return passability.startswith("ship") or placement not in ("", "land")


def _footprint(element: Mapping[str, object]) -> Footprint | None:
    """Return the footprint that the element ``Footprint`` describes, in tiles.

    Its child is either of these, in metres; None for any other::

        <Square width="36" depth="12"/>      <Circle radius="25"/>
    """
    square = _element(element, "Square")
    circle = _element(element, "Circle")
    try:
        if square:
            width = float(str(square["@width"]))
            depth = float(str(square["@depth"]))
        elif circle:
            width = 2 * float(str(circle["@radius"]))
            depth = width
        else:
            return None
    except (KeyError, ValueError):  # a missing number, or a text
        return None
    if not (0 < width <= LONGEST_SIDE and 0 < depth <= LONGEST_SIDE):
        return None
    return Footprint(width / METRES_PER_TILE, depth / METRES_PER_TILE, round=not square)


def _element(template: object, name: str) -> Mapping[str, object]:
    """Return an element of a template, or of an element, that has children; {} for none."""
    if not isinstance(template, dict):
        return {}
    element = template.get(name)
    if isinstance(element, dict):
        return element
    return {}
