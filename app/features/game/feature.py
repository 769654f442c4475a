"""The game that plays the maps: its directory, its scripts and pictures."""

from __future__ import annotations

from app.commands.commands import Change, Command
from app.desk.desk import Desk
from app.features.game.controller import GameController


def make(desk: Desk) -> None:
    """Put the game on the desk, with its commands."""
    desk.games = games = GameController(desk)
    desk.commands.add(_commands(games))


def _commands(games: GameController) -> tuple[Command, ...]:
    """Open from the game, export into it, take back, its pictures."""
    return (
        Command(
            "file.open-from-game",
            "Open from &game...",
            games.open_from_game,
            "Open a map of your game",
            "Ctrl+Shift+O",
            "open-game",
            button_text="From game",
            words="colossus titan load installed import variant library",
        ),
        Command(
            "file.export-to-game",
            "&Export to game...",
            games.export,
            "Write the map where the game loads it",
            "Ctrl+Shift+E",
            "export",
            why_not=games.why_not_export,
            button_text="To game",
            words="colossus titan install write variant library put",
        ),
        Command(
            "file.play-here",
            "Pla&y here...",
            games.play_here.play,
            "Play the map in your own game, in a scratch folder",
            why_not=games.play_here.why_not,
            follows=Change.MAP | Change.DESK,
            words="start run test game battle try",
        ),
        Command(
            "file.take-back-an-export",
            "&Take back an export...",
            games.take_back,
            "Put back what an export replaced",
            icon="undo",
            words="undo restore uninstall remove game",
        ),
        Command(
            "file.whole-variant",
            "&Whole variant...",
            games.whole_group,
            "Roll all maps of one part of your game, and export them together",
            "Ctrl+Shift+V",
            "same",
            why_not=games.why_no_group,
            text_now=lambda: f"{games.group_title()}...".replace("Whole", "&Whole"),
            words="batch all battlelands bulk library every",
        ),
        Command(
            "view.pictures-of-the-game",
            "Pictures of the &game",
            games.pictures.toggle,
            "Draw hazards with the pictures of your own game",
            checked=lambda: games.pictures.shown,
            offered=games.pictures.suit_map,
            follows=Change.MAP | Change.DESK,
            words="images graphics hazards colossus looks",
        ),
    )
