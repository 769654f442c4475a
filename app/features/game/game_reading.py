"""What jobs do with a game's directory: look, read, plan. No widgets; all may raise ProblemError.

The functions give the work of a job (``jobs.Work``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QImage

from randomizer.formats import ReadResult
from randomizer.games import ExportPlan, ExportReceipt, Game, GameHost, GameVariant
from randomizer.model.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity

Progress = Callable[[int], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A game that was found at ``path`` (as the user chose it), and its variants."""

    path: Path
    game: Game
    variants: tuple[GameVariant, ...]

    def variant(self, name: str) -> GameVariant | None:
        """The variant of that name, None if there is none."""
        return next((variant for variant in self.variants if variant.name == name), None)


@dataclass(frozen=True, slots=True)
class TerrainMap:
    """The map that the game has for a terrain; ``digest`` tells equal files from others.

    ``battlemap`` is None where there is none, or none that can be read: ``problems`` say why.
    """

    terrain: str
    digest: str = ""
    battlemap: BattleMap | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """The plan of an export, and the map that the game has there now."""

    plan: ExportPlan
    now: TerrainMap


@dataclass(frozen=True, slots=True)
class LoadedPictures:
    """A game's pictures by the terrain's name, and those that could not be read."""

    images: dict[str, QImage]
    problems: tuple[Problem, ...]


def opening(host: GameHost, path: Path) -> Callable[..., OpenedGame]:
    """The game at ``path`` as an ``OpenedGame``."""

    def work(_progress: Progress, _cancelled: Cancelled) -> OpenedGame:
        game = host.open_game(path)
        return OpenedGame(path, game, tuple(game.variants()))

    return work


def reading(host: GameHost, game: Game, variant: str, terrain: str) -> Callable[..., ReadResult]:
    """The map of a terrain as a ``ReadResult``."""

    def work(_progress: Progress, _cancelled: Cancelled) -> ReadResult:
        data, found = game.read_battleland(variant, terrain)
        return host.FORMAT.read(data, found.words)

    return work


def reading_all(
    host: GameHost, game: Game, variant: GameVariant
) -> Callable[..., tuple[TerrainMap, ...]]:
    """The maps of all terrains of a variant as a tuple of ``TerrainMap``."""

    def work(_progress: Progress, cancelled: Cancelled) -> tuple[TerrainMap, ...]:
        maps = []
        for terrain in variant.terrains:
            if cancelled():
                break
            maps.append(_terrain_map(host, game, variant.name, terrain.name))
        return tuple(maps)

    return work


def _terrain_map(host: GameHost, game: Game, variant: str, terrain: str) -> TerrainMap:
    try:
        data, found = game.read_battleland(variant, terrain)
    except ProblemError as reason:
        return TerrainMap(terrain, problems=reason.problems)
    result = host.FORMAT.read(data, found.words)
    return TerrainMap(terrain, digest_of(data), result.battlemap, result.problems)


def digest_of(data: bytes) -> str:
    """What tells equal map files from others."""
    return hashlib.sha256(data).hexdigest()


def planning(
    host: GameHost, opened: OpenedGame, battleland: bytes, variant: str, terrain: str
) -> Callable[..., Preview]:
    """The plan for exporting a map file, as a ``Preview``."""

    def work(_progress: Progress, _cancelled: Cancelled) -> Preview:
        plan = host.plan_exports(opened.game, {terrain: battleland}, variant)
        # Until it has files of its own, a new variant shows those of the first.
        shown = opened.variants[0].name if plan.new_variant else variant
        return Preview(plan, _terrain_map(host, opened.game, shown, terrain))

    return work


def committing(host: GameHost, plan: ExportPlan) -> Callable[..., ExportReceipt]:
    """Write the files of a plan; gives its receipt."""

    def work(_progress: Progress, _cancelled: Cancelled) -> ExportReceipt:
        return host.commit_export(plan)

    return work


def listing_exports(host: GameHost, game: Game) -> Callable[..., tuple[ExportReceipt, ...]]:
    """All exports into a game, the newest first."""

    def work(_progress: Progress, _cancelled: Cancelled) -> tuple[ExportReceipt, ...]:
        return tuple(host.receipts(game))

    return work


def taking_back(host: GameHost, receipt: Path) -> Callable[..., ExportReceipt]:
    """Undo an export; gives its receipt."""

    def work(_progress: Progress, _cancelled: Cancelled) -> ExportReceipt:
        return host.take_back(receipt)

    return work


def finding_scripts(host: GameHost, path: Path) -> Callable[..., list[Path]]:
    """The scripts in the game's directory, as a list of paths."""

    def work(_progress: Progress, _cancelled: Cancelled) -> list[Path]:
        return list(host.open_game(path).scripts())

    return work


def loading_pictures(
    host: GameHost, path: Path, names: Iterable[str]
) -> Callable[..., LoadedPictures]:
    """The game's own pictures of the terrains ``names``, as ``LoadedPictures``."""
    names = tuple(names)

    def work(_progress: Progress, cancelled: Cancelled) -> LoadedPictures:
        game = host.open_game(path)
        images: dict[str, QImage] = {}
        problems: list[Problem] = []
        for name in names:
            if cancelled():
                break
            try:
                data = game.picture(name)
            except ProblemError as reason:
                problems += reason.problems
                continue
            if data is None:
                continue
            image = QImage.fromData(data)
            if image.isNull():
                problems.append(_no_picture(name))
            else:
                images[name] = image
        return LoadedPictures(images, tuple(problems))

    return work


def _no_picture(name: str) -> Problem:
    text = f"The game's picture of {name} is of no kind that can be shown; ours is used"
    return Problem(Severity.WARNING, "bad-picture", text)
