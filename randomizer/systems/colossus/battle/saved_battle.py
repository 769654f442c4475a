"""The save file of a game of Colossus in which two legions are about to fight.

A *legion* is an army with a marker, such as "Rd01". In the save file both stand on the master board
at hex 1, which in the game is Plains; so a battleland is fought on if it takes the place of Plains
(game_launch.py). Source: the project's fact sheet on battles of Titan.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from randomizer.systems.colossus.battle.armies import Army
from randomizer.systems.colossus.creatures import CREATURES

AI = "net.sf.colossus.ai.SimpleAI"
"""The type of a player that the game moves, as the game writes it."""

HUMAN = "net.sf.colossus.ai.Human"
"""The type of a player that a person moves."""

ATTACKER_MARKER = "Rd01"
"""The marker of the attacker's legion: the first red one."""

DEFENDER_MARKER = "Gr01"
"""The marker of the defender's legion: the first green one."""

Armies = tuple[Army, Army]
"""The attacker's army and the defender's."""


class _Player(NamedTuple):
    """A player of the save file, with a single legion."""

    name: str

    player_type: str
    """AI or HUMAN."""

    colour: str
    """The name of the colour of the player's markers."""

    starting_tower: int
    """The label of the tower where it began; it means nothing to the battle."""

    marker: str
    """The name of its legion."""

    entry_side: int
    """The side of the battleland by which the legion enters, 0 to 5."""

    has_moved: bool
    """True for the attacker, whose turn it is."""

    army: Army


def save_file(armies: Armies, entry_side: int, attacker: str = AI) -> str:
    """Return the save file of a game in which two legions are about to fight.

    ``attacker`` is the type of that player; the defender is the game's AI.
    """
    attacking_army, defending_army = armies
    players = (
        _Player(
            name="Attacker",
            player_type=attacker,
            colour="Red",
            starting_tower=600,
            marker=ATTACKER_MARKER,
            entry_side=entry_side,
            has_moved=True,
            army=attacking_army,
        ),
        _Player(
            name="Defender",
            player_type=AI,
            colour="Green",
            starting_tower=200,
            marker=DEFENDER_MARKER,
            entry_side=0,  # the game itself lets the defender enter opposite the attacker
            has_moved=False,
            army=defending_army,
        ),
    )
    player_elements = "".join(map(_player_element, players))
    reveals = "".join(map(_reveal_element, players))
    # Phase 2 of a turn is that of fights.
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ColossusSnapshot version="14" createdByRelease="0.14">'
        '<Variant dir="Default" file="DefaultVar.xml" name="Default"/>'
        "<TurnNumber>2</TurnNumber><CurrentPlayer>0</CurrentPlayer><CurrentPhase>2</CurrentPhase>"
        f"<Caretaker>{_empty_box()}</Caretaker>{player_elements}"
        f"<History>{reveals}</History><Redo></Redo></ColossusSnapshot>\n"
    )


def _empty_box() -> str:
    """Return the elements of a box without creatures, so that nobody is recruited or summoned."""
    return "".join(
        f'<Creature name={quoteattr(creature.name)} remaining="0" dead="0"/>'
        for creature in CREATURES
    )


def _player_element(player: _Player) -> str:
    """Return the element of a player with its legion, which is in the hex of the battle."""
    moved = str(player.has_moved).lower()
    creatures = "".join(f"<Creature name={quoteattr(creature.name)}/>" for creature in player.army)
    return (
        f'<Player name="{player.name}" type="{player.player_type}" color="{player.colour}" '
        'colorsElim="" dead="false" movementRoll="1" mulligansLeft="0" score="0" '
        f'startingTower="{player.starting_tower}" summoned="false" teleported="false">'
        f'<Legion name="{player.marker}" currentHex="1" startingHex="1" '
        f'entrySide="{player.entry_side}" moved="{moved}" parent="null" recruitName="null" '
        f'battleTally="0">{creatures}</Legion></Player>'
    )


def _reveal_element(player: _Player) -> str:
    """Return the event that shows a legion's creatures to all players."""
    creatures = "".join(f"<creature>{escape(creature.name)}</creature>" for creature in player.army)
    return (
        f'<Reveal allPlayers="true" markerId="{player.marker}" turn="1">'
        f"<creatures>{creatures}</creatures></Reveal>"
    )
