"""The commands about the user's own game: open from it, export into it, play in it, its pictures.

``make`` is called once for a desk, by the list of features. ``GameController`` does what the
commands say; other features reach it as ``Desk.games``.
"""

from __future__ import annotations

from app.commands.commands import Change, Command
from app.desk.desk import Desk
from app.features.game.controller import GameController


def make(desk: Desk) -> None:
    """Offer the game to other features as ``desk.games``, and add the commands."""
    games = GameController(desk)
    desk.games = games
    desk.commands.add(_commands(games))


def _commands(games: GameController) -> tuple[Command, ...]:
    """Return the commands; ``games`` does what they say."""
    return (
        Command(
            "file.open-from-game",
            "Open from &game...",
            games.open_from_game,
            tip="Open a map of your game",
            keys="Ctrl+Shift+O",
            icon="open-game",
            button_text="From game",
            words="colossus titan load installed import variant library",
        ),
        Command(
            "file.export-to-game",
            "&Export to game...",
            games.export,
            tip="Write the map where the game loads it",
            keys="Ctrl+Shift+E",
            icon="export",
            why_not=games.why_not_export,
            button_text="To game",
            words="colossus titan install write variant library put",
        ),
        Command(
            "file.play-here",
            "Pla&y here...",
            games.play_here.play,
            tip="Play the map in your own game, in a scratch folder",
            why_not=games.play_here.why_not,
            follows=Change.MAP | Change.DESK,
            words="start run test game battle try",
        ),
        Command(
            "file.take-back-an-export",
            "&Take back an export...",
            games.take_back,
            tip="Put back what an export replaced",
            icon="undo",
            words="undo restore uninstall remove game",
        ),
        Command(
            "file.whole-variant",
            "&Whole variant...",
            games.show_group_window,
            tip="Roll all maps of one part of your game, and export them together",
            keys="Ctrl+Shift+V",
            icon="same",
            why_not=games.why_no_group,
            text_now=lambda: f"&{games.group_title()}...",
            words="batch all battlelands bulk library every",
        ),
        Command(
            "view.pictures-of-the-game",
            "Pictures of the &game",
            games.pictures.toggle,
            tip="Draw hazards with the pictures of your own game",
            checked=lambda: games.pictures.shown,
            offered=games.pictures.has_pictures_for_map,
            follows=Change.MAP | Change.DESK,
            words="images graphics hazards colossus looks",
        ),
    )
