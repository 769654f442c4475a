"""The verdict of simulated battles, and the rows of the tables of the panel *Fairness*, as text.

A verdict is such as "Left favours the attacker. Top and right are fair."; a row of the table of
battles is such as ("Left", "63 %", "57 to 69").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.batches.favour import Favoured, describe_favour
from randomizer.model.basics.plurals import listed, many

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure
    from randomizer.batches.fairness import Attack, BattleResults
    from randomizer.model.basics.rarity import Rarity

ARMIES = Favoured(if_above="attacker", if_below="defender")
"""The armies that the advantage of an attack helps."""


def verdict(results: BattleResults) -> str:
    """Return the verdict; it begins with "Preliminary" until all battles are fought.

    "" before any battle on open ground was fought, with which the others are compared.
    """
    judgement = _judgement(results)
    count = battles_fought(results)
    if not judgement or count >= results.battles_planned:
        return judgement
    return f"Preliminary, {count:,} of {results.battles_planned:,} battles a side: {judgement}"


def _judgement(results: BattleResults) -> str:
    """Return sentences on the army that each side favours; "" before the base line was fought.

    A side favours an army if its 95 % interval lies apart from that of the base line, which is an
    attack on open ground: where both overlap, the difference may be chance.
    """
    base_name, base_wins = results.base_line
    if not base_wins.tried:
        return ""
    base_low, base_high = base_wins.interval
    sides_of_attacker = []
    sides_of_defender = []
    fair_sides = []
    for side, wins in results.wins:
        low, high = wins.interval
        if low > base_high:
            sides_of_attacker.append(side)
        elif high < base_low:
            sides_of_defender.append(side)
        else:
            fair_sides.append(side)
    if not sides_of_attacker and not sides_of_defender:
        return f"Fair: no side differs clearly from {base_name}."
    texts = []
    if sides_of_attacker:
        verb = many(len(sides_of_attacker), "favours", "favour")
        texts.append(f"{listed(sides_of_attacker)} {verb} the attacker.")
    if sides_of_defender:
        verb = many(len(sides_of_defender), "favours", "favour")
        texts.append(f"{listed(sides_of_defender)} {verb} the defender.")
    if fair_sides:
        texts.append(f"{listed(fair_sides)} {many(len(fair_sides), 'is', 'are')} fair.")
    return " ".join(texts)


def battles_fought(results: BattleResults) -> int:
    """Return the least number of battles that were fought from a side, or on open ground."""
    return min(wins.tried for _name, wins in (*results.wins, results.base_line))


def battle_texts(name: str, wins: Rarity) -> tuple[str, ...]:
    """Return the texts of a row of the table of battles; dots while none has been fought."""
    if not wins.tried:
        return name, "...", ""
    low, high = wins.interval
    return name, f"{100 * wins.chance:.0f} %", f"{100 * low:.0f} to {100 * high:.0f}"


def attack_texts(attack: Attack) -> tuple[str, ...]:
    """Return the texts of a row of attacks, with the attacker's values above the defender's."""
    attacker = attack.attacker
    defender = attack.defender
    values = []
    for attacker_value, defender_value in zip(attacker.values, defender.values, strict=True):
        values.append(f"{_number(attacker_value)}\n{_number(defender_value)}")
    gain = describe_favour(attack.advantage, f"{abs(attack.advantage):.0f}", "%", ARMIES)
    return (f"{attacker.name}\n{defender.name}", *values, gain)


def value_text(measure: Measure, value: float) -> str:
    """Return the value of a measure as text, with its unit or the army that it favours."""
    if measure.yes_no and value:
        return "yes"
    if measure.yes_no:
        return "no"
    if measure.favours is not None:
        return describe_favour(value, _number(abs(value)), measure.unit, measure.favours)
    number = f"{value:.1f}"  # a negative one always with a decimal
    if value >= 0:
        number = _number(value)
    return f"{number} {measure.unit}".rstrip()


def _number(value: float) -> str:
    """Return a number from 0 on: with one decimal if it is below 10 and not whole."""
    if value == round(value) or value >= 10:
        return f"{value:.0f}"
    return f"{value:.1f}"
