"""Rolls the maps of one command and writes them into its target, with reports about each.

    roller = MapRoller(generator=generator, settings=settings, seed=17, count=3, ...)
    with target:
        exit_code = roller.roll_all()

Maps of one seed have the numbers 0, 1, 2 and so on, and a command makes ``count`` maps from
``first_number`` on. There are two cases in which the numbers are not simply consecutive:

- Under *locks*, values of the map that a roll has to keep, most maps do not fit: the generator goes
  on from a number until a map keeps the locks, and the next map follows that one.
- With ``--force``, if no map keeps them, one is made whose locked values are put back by force. It
  has no number, since the generator makes no such map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath

from randomizer.cli.output import BAD_INPUT, FINE, Console
from randomizer.cli.roll_target import JointTarget, Target
from randomizer.cli.rolled_map import map_with_roll
from randomizer.forced_roll import can_be_forced, force
from randomizer.formats.provenance import Provenance
from randomizer.generator import NO_MORE_MAPS, MapGenerator
from randomizer.generator_run import run as generate
from randomizer.model.basics.log_line import PRINT, LogLine
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.roll_base import Base
from randomizer.search_progress import tried_by
from randomizer.symmetric_rolls import is_symmetric


@dataclass(kw_only=True)
class MapRoller:
    """Rolls the maps of one command; ``roll_all`` does all of it."""

    generator: MapGenerator

    settings: Mapping[str, object]
    """The settings of the generator, by name."""

    base: Base
    """What the generator gets: the grid, the locks and what lies below the roll."""

    onto: BattleMap
    """The map to roll onto, without layers if it is new; it is not changed."""

    onto_path: str | None
    """The file of that map, for messages; None if it is new."""

    script_path: str
    """The name by which the user named the script, for messages."""

    seed: int
    """The seed of all maps."""

    first_number: int
    """The number of the first map."""

    count: int
    """How many maps are made."""

    is_forcing_locks: bool
    """True if locked values are put back by force where no map keeps the locks."""

    origin: Origin
    """Says where the maps come from."""

    target: Target
    """Where the maps go; the caller has entered it with ``with``."""

    console: Console

    _reported: set[Problem] = field(default_factory=set, init=False)
    """The problems that were told: most maps of a script have the same."""

    def roll_all(self) -> int:
        """Roll all maps, and return the exit code.

        Raises ProblemError for the first map that cannot be written, and for the first that cannot
        be made, unless each map has a file of its own: then the others are made all the same.
        """
        has_locks = bool(self.base.locked)
        is_joint = isinstance(self.target, JointTarget)
        if self.count > 1 and not is_joint and not has_locks:
            # Each map into a file of its own.
            return self._roll_separately()

        # One map, or several into one file, or under locks. The first map is rolled by itself: it
        # shows that such maps can be written.
        next_number = self._roll_one(self.first_number) + 1
        rolled_count = 1
        if self.count > 1 and not has_locks:
            batch_count = self._roll_batches(next_number, self.count - rolled_count)
            next_number += batch_count
            rolled_count += batch_count
        # The others one by one: under locks, and what cannot be rolled in batches.
        while rolled_count < self.count:
            self._show_count(rolled_count)
            next_number = self._roll_one(next_number) + 1
            rolled_count += 1
        return FINE

    def _roll_separately(self) -> int:
        """Roll maps that each go into a file of their own; return ``BAD_INPUT`` if one failed."""
        code = FINE
        for tried_count in range(self.count):
            number = self.first_number + tried_count
            self._show_count(tried_count)
            try:
                generated = self._generate(number)
            except ProblemError as failed:
                code = BAD_INPUT
                self._say_log(failed.log)
                self.console.say(f"map {number} of seed {self.seed} could not be made")
                self._report_once(failed.problems)
                if any(problem.code == NO_MORE_MAPS for problem in failed.problems):
                    break
            else:
                self._write(generated)
        return code

    def _roll_batches(self, number: int, count: int) -> int:
        """Roll up to ``count`` maps from ``number`` on, thousands at a time; return how many.

        They are fewer if a map could not be made: that is the next one. They are none if the
        target, the generator or the format takes only one map at a time.
        """
        from randomizer.batches.batch_generator import rolls_many
        from randomizer.batches.map_stream import MapStream

        if not isinstance(self.target, JointTarget) or not self.target.format.writes_batches:
            return 0
        if is_symmetric(self.generator.system, self.settings) or not rolls_many(self.generator):
            return 0

        rolled_count = 0
        already_rolled = number - self.first_number
        stream = MapStream(self.generator, self.settings, self.base, self.seed)
        with closing(stream.blocks(range(number, number + count))) as batches:
            for batch in batches:
                self._show_count(already_rolled + rolled_count)
                # The maps up to the first that failed.
                sound_count = len(batch)
                if batch.failed.any():
                    sound_count = int(batch.failed.argmax())
                if sound_count:
                    rows = batch.rows(slice(sound_count))
                    properties = self.generator.batch_properties(self.settings, rows)
                    data = self.target.format.write_batch(rows, properties)
                    self.target.write_joined(data, sound_count)
                    rolled_count += sound_count
                if sound_count < len(batch):
                    break
        return rolled_count

    # --- one map ----------------------------------------------------------------------------

    def _roll_one(self, number: int) -> int:
        """Roll the map ``number``, under locks the first from there on; return its number."""
        try:
            generated = self._generate(number)
        except ProblemError as failed:
            self._say_log(failed.log)
            raise
        self._write(generated)
        return generated.number

    def _generate(self, number: int) -> Generated:
        """Return the map ``number``, under locks the first from there on that keeps them.

        If none keeps them and they may be forced, it is one with forced locks.
        """
        key = DrawKey(self.seed, number)
        progress = partial(self._show_progress, number)
        try:
            generated = generate(self.generator, self.settings, key, self.base, progress)
        except ProblemError as failed:
            if not self.is_forcing_locks or not can_be_forced(failed.problems):
                raise
            generated = force(self.generator, self.settings, key, self.base)
        except KeyboardInterrupt:
            if self.base.locked:
                message = f"no map from number {number} on was found that keeps the locks"
                self.console.say(f"interrupted; seed {self.seed}: {message}")
            raise
        assert generated is not None, "nobody cancels"
        return generated

    def _write(self, generated: Generated) -> None:
        """Report what the script did, and write its map into the target."""
        self._say_log(generated.log)
        self._report_once(generated.notes)
        self._say_locks(generated)
        battlemap = map_with_roll(self.onto, self.base, generated, self.onto_path)
        provenance = self.origin.provenance_of(generated)
        self.target.write_map(battlemap, provenance, self.origin.stem, generated.number)

    # --- messages ---------------------------------------------------------------------------

    def _say_log(self, log: Iterable[LogLine]) -> None:
        """Print the lines that a script wrote into its log."""
        if not self.generator.text:
            return  # without a script the log tells how the generator made the map
        for line in log:
            if line.level == PRINT:
                self.console.say(line.text)
            else:
                self.console.say(f"{line.level}: {line.text}")

    def _report_once(self, problems: Iterable[Problem]) -> None:
        """Report the problems that were not reported before."""
        new_problems = []
        for problem in problems:
            if problem in self._reported:
                continue
            self._reported.add(problem)
            if problem.line is not None and problem.path is None:
                problem = problem.at_path(self.script_path)  # the line is one of the script
            new_problems.append(problem)
        self.console.report(new_problems)

    def _say_locks(self, generated: Generated) -> None:
        """Say which map keeps the locks, if there are any, or that it was forced to."""
        text = f"map {generated.number} of seed {self.seed}"
        if generated.forced_elements:
            self.console.say(f"{text}, {_forced_locks(generated)}")
        elif self.base.locked and generated.kept_locks.about:
            self.console.say(f"{text} keeps the locks: {generated.kept_locks.about}")
        elif self.base.locked:
            self.console.say(f"{text} keeps the locks")

    def _show_count(self, rolled_count: int) -> None:
        """Show how many of the maps were rolled."""
        self.console.progress(f"{rolled_count:,} of {counted(self.count, 'map')}")

    def _show_progress(self, number: int, percent: int) -> None:
        """Show the progress of one map; under locks how many maps from ``number`` on were tried."""
        if self.base.locked:
            # Then the percent stands for a number of maps (search_progress.py).
            tried = f"{counted(tried_by(percent), 'map')} from number {number} on tried"
            self.console.progress(f"{tried} for the locks (Ctrl-C ends it)")
        elif self.count == 1 and percent:
            self.console.progress(f"{percent} %")
        elif self.count == 1:
            self.console.progress("rolling")


class Origin:
    """Says where the maps of one command come from: all that is needed to make one again.

    For instance "Rolled by Battlelands Builder: Swamp.rnd, seed 17, map 3, onto Plain.xml".
    """

    def __init__(
        self,
        script: str,
        seed: int,
        settings: Mapping[str, object],
        onto_path: str | None,
        *,
        is_seed_chosen_by_user: bool,
    ) -> None:
        """``script`` is its path or name; ``onto_path`` the map below, None without one."""
        script_name = PurePath(script).name
        self.stem = PurePath(script_name).stem
        """The beginning of the names of files."""
        self._seed = seed
        self._script_and_seed = f"{script_name}, seed {seed}"
        if not is_seed_chosen_by_user:
            self._script_and_seed += " (chosen by the program)"
        self._choices = [f"{name} {value}" for name, value in settings.items()]
        """What the user chose, each a text: "players 4", "onto Plain.xml"."""
        if onto_path is not None:
            self._choices.append(f"onto {PurePath(onto_path).name}")

    def provenance_of(self, generated: Generated) -> Provenance:
        """Return the origin of one map, for its file."""
        parts = [
            f"Rolled by Battlelands Builder: {self._script_and_seed}",
            f"map {generated.number}",
            *self._choices,
        ]
        number: int | None = generated.number
        if generated.forced_elements:
            parts.append(_forced_locks(generated))
            number = None  # no number makes a map with forced locks again
        return Provenance(self._seed, number, ", ".join(parts))


def _forced_locks(generated: Generated) -> str:
    """Return the words that tell of the locked values that were put back by force."""
    return f"{', '.join(generated.forced_elements)} put back by force"
