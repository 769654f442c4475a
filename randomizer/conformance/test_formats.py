"""Formats and games: names, what is written is read again, whatever bytes there are."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from randomizer.catalog import format_for, format_named, formats, game_hosts, systems
from randomizer.conformance.samples import check_problems, named, sample_map
from randomizer.formats import Format, read_checked, refuse_other_systems, write_checked, writes
from randomizer.games import GameHost
from randomizer.model.problems import ProblemError, has_errors

FORMATS = named(formats())
BAD = (b"", b"\0", b"{", b"{}", b'{"hexes": 3}', b"<", b"<a/>", b"\xff" * 50, b"0 " * 500)


def test_formats_differ_in_name_or_systems() -> None:
    names = [(known.name, known.systems) for known in formats()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("known", FORMATS)
def test_a_format_is_found_by_its_name_and_has_suffixes(known: Format) -> None:
    for system in systems():
        if not known.systems or system.name in known.systems:
            assert format_named(known.name, system) is known
    assert known.title
    assert known.suffixes
    assert all(re.fullmatch(r"\.[a-z0-9]+", suffix) for suffix in known.suffixes)
    assert known.largest > 0 or not known.readable


@pytest.mark.parametrize("known", FORMATS)
def test_what_a_format_writes_it_reads_and_settles(known: Format) -> None:
    for system in systems():
        battlemap = sample_map(system)
        if not writes(known, battlemap):
            with pytest.raises(ProblemError):
                refuse_other_systems(known, battlemap)
            continue
        check_problems(known.check(battlemap))
        try:
            data = write_checked(known, battlemap)
        except ProblemError as refused:
            check_problems(refused.problems)
            continue
        assert known.write(battlemap) == data
        if known.readable:
            again = read_checked(format_for(data, f"map{known.suffixes[0]}"), data).battlemap
            assert again is not None
            settled = write_checked(known, again)  # without what is noted of a roll
            third = read_checked(known, settled).battlemap
            assert third is not None
            assert known.write(third) == settled


@pytest.mark.parametrize("known", FORMATS)
def test_bad_data_give_problems_and_nothing_is_raised(known: Format) -> None:
    dice, spoilt = random.Random(28), list(BAD)
    for system in systems():
        if known.readable and writes(known, sample_map(system)):
            data = known.write(sample_map(system))
            spoilt += [data[: len(data) * part // 5] for part in range(1, 5)]
            for _time in range(10):
                at = dice.randrange(len(data))
                spoilt.append(data[:at] + dice.randbytes(3) + data[at + 3 :])
    for data in spoilt:
        known.recognises(data)
        result = read_checked(known, data, "Map")
        check_problems(result.problems)
        assert result.battlemap is not None or has_errors(result.problems)
        assert {problem.path for problem in result.problems} <= {"Map"}


@pytest.mark.parametrize("host", [pytest.param(each, id=each.title) for each in game_hosts()])
def test_a_game_plays_maps_of_its_system_and_says_what_is_not_there(
    host: GameHost, tmp_path: Path
) -> None:
    assert host.system in {system.name for system in systems()}
    assert not host.format.systems or host.system in host.format.systems
    assert 1 <= len(host.levels) <= 2
    try:
        game = host.open_game(host.find_game(tmp_path))
    except ProblemError as refused:
        check_problems(refused.problems)
    else:
        with pytest.raises(ProblemError) as missing:
            game.read_map("no such group", "no such map")
        check_problems(missing.value.problems)
