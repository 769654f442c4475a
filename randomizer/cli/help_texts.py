"""The texts of the command line's help: what each verb does, with examples.

The module ``arguments`` hands them to argparse, which prints their lines as they stand: no line is
longer than 100 characters. For the verb ``roll`` they are ``ROLL``, above its options in its help,
and ``ROLL_EXAMPLES`` below them; so it is with the other verbs. A text that another one continues
ends in a line end (``LOCK_SYNTAX``). This file imports nothing, so that help comes at once.
"""

SAVED_FORMATS = (
    "xconq, board, textmapper, wesnoth, tmx, tmj, foundry, uvtt, pmp, project, script-0.26, "
    "script-0.27, script-0.28"
)
"""The names of the formats that are both read and written, as a list in help texts."""

DESCRIPTION = "Make battle maps: roll scripts, check and show them, convert maps, export them."

EXIT_CODES = """\
exit codes: 0 all is well, 1 bad input (a file, a script, a map; also locks that no map keeps),
2 wrong use, 130 interrupted, 141 the reader of a pipe went away, 70 a fault of the program or of
an installed package.
Errors go to standard error as "file:line:column: error: message"."""

ROLL = """\
Make maps with a script. SCRIPT|NAME is the path of a script (its suffix says whose script it is),
that of a metadata file beside its script (JSON with "settings"), or the name of a packaged one, or
of one of an installed game, in any case of letters ("randomizer list" shows them); a file of that
name goes before. Map K of seed N is the same map for ever. Without more than the script one
battleland XML goes to standard output."""

LOCK_SYNTAX = """\
locks: only maps that the script really makes and that show every locked value. Items are separated
by commas: a hex or one of its sides 0-5 (0 is north, on clockwise), and what it has to be.
  D4=Volcano/2   terrain Volcano, elevation 2. Terrains may be given in any case of letters or by
                 their letter. Without "/2" the elevation is that of --onto, or 0.
  D4:0=c         a cliff at the north side of D4, as its own hexside; "none" or "-": no hexside
  C3, C3:0       what --onto has there; without --onto Plains, elevation 0, no hexside
"""

LOCKS = f"""\
{LOCK_SYNTAX}\
Map K and those after it are tried; the number found is said on standard error. With --count the
search for the next map starts behind the one found."""

ROLL_EXAMPLES = """\
examples:
  randomizer roll Swamp
  randomizer roll Swamp --seed 17 --out Swamp.xml
  randomizer roll my.rnd --seed 17 --count 1000 --format json
  randomizer roll --recipe battlelands:1:... --out Swamp.battlemap
  randomizer roll Swamp --seed 17 --count 20 --out maps/
  randomizer roll Swamp --seed 17 --onto Swamp.xml --lock D4=Bog,C3:0=none
  randomizer roll maps/random/hills.json --set Size=256 --set Players=2 --out hills.map.json"""

ODDS = """\
Print the chance of each terrain and elevation at each hex, a line each: "D4 Volcano/2 0.25
±0.0014". Maps are rolled and counted until the chances are known to 0.2 %. Behind each chance that
is not certain stands its standard error. Under locks the odds are those among the maps that keep
them."""

ODDS_LOCKS = f"""\
{LOCK_SYNTAX}\
--samples counts all maps that are rolled, also those that do not keep the locks."""

FIND = """\
Search the maps K, K+1, ... of seed N for those that pass a filter, and print their numbers, a line
each ("randomizer roll SCRIPT --seed N --number NUMBER" makes them). How rare they are is said on
standard error. The exit code is 1 if there is none among the maps tried."""

FILTERS = """\
filters: conditions with and, or, not and brackets, names in any case of letters
  count(Tree) >= 2               also Tree/1, elevation 2, elevation >= 1, Cliff (sides of hexes)
  count(Tree in (C3, C4)) = 1    of these hexes only
  share(Lake) < 60 %             of all hexes; land and water are several terrains at once
  regions(land) >= 3             separate areas
  C4 = Bog, C4 != Bog/1          or: C4 in (Bog, Lake), elevation(C4) >= 1
  D4:0 = Cliff, D4:0 = none      the hexside at side 0 of D4 (0 is north, on clockwise)
  connected, fairness <= 10 %    the measures of the maps
  wins(left) >= 45 %             battles fought on each map, a second each: use --budget

examples:
  randomizer find Swamp --where "count(Tree) >= 2 and not C4 = Bog"
  randomizer find Swamp --where connected --limit 100 --sort fairness"""

FIGHT = """\
Fight battles of Titan on a battleland: the attacker enters at a side, the defender opposite or by
the start list. The program's own simulator fights by the game's rules, with an opponent after the
game's simple AI; its shares are some points from the game's. With --game the player's own game
fights in a scratch folder, some 4 seconds a battle. Results go to standard output."""

FIGHT_EXAMPLES = """\
examples:
  randomizer fight Swamp.xml --side Right --attacker "2 Lion+2 Ogre+Troll" --defender "7 Ogre"
  randomizer fight Swamp.xml --side 3 --armies standard --battles 1000 --json
  randomizer fight Swamp.xml --side Left --armies mine.txt --battles 30 --game ~/Colossus
a file for --armies has "ATTACKER | DEFENDER" a line, or one army, which meets its own like."""

BALANCE = """\
Find the smallest edits of a battleland, three at most, that bring the attacker's shares of wins
from Right, Bottom and Left within 5 points of one another: ten usual legions fight, each against
its like, by the program's own simulator. Takes a minute or two. Locked hexes and layers stay. The
shares before and after go to standard output; with --out the map with the last edits is written."""

CHECK = """\
Say what is wrong with scripts, their metadata and maps: errors, warnings, hints, each with its
place and a fix where one is known. A map is also checked for what the game's builder warns of. All
files are checked, whatever is wrong with one. What is found goes to standard output, its sum to
standard error."""

SHOW = """\
Show a map: as text to read, or as the program writes it in a format. Of a script that defines a
game of Xconq (a period): what it prints, then every value that it sets, a word a line."""

CONVERT = """\
Read a map and write it in another format. What would get lost, and what the game would stumble
over, is said on standard error. OUT is replaced in one step, and may be IN if its format stays.
With --folder and --to many maps are converted, each by itself: those of a FOLDER (not of folders
below) and files. They keep their names; a file that is there already stays unless --overwrite."""

CONVERT_EXAMPLES = """\
examples:
  randomizer convert vale.board vale.battlemap
  randomizer convert vale.board vale.map --dry-run
  randomizer convert --folder out --to wesnoth maps/ vale.board"""

EXPORT = """\
Export a map into its game. The game says what its places are called: in Colossus --variant NAME
(one of the game's or a new one) --terrain NAME, in Xconq --mapfile NAME, in 0 A.D. --mod NAME
--script NAME. Without --yes the plan is printed and nothing is written. What is replaced is kept as
a backup; --take-back undoes the newest export that has not been taken back."""

EXPORT_EXAMPLES = """\
examples:
  randomizer export Swamp.xml --game ~/Colossus --variant Default --terrain Swamp
  randomizer export islands.map --game ~/xconq/lib --mapfile islands --yes
  randomizer export map.json --game ~/.local/share/0ad/mods --mod user --script vale --yes"""

DIFF = """\
Say what differs between two maps in any formats that can be read: layers, terrains and records,
then properties, cells, sides, locks and things, a line each, A before B. Maps that only look alike
differ in their layers; --shown compares what they show. The exit code is 0 for equal maps, 1 for
different ones, 2 for trouble. Git can call it instead of its own comparison:
  GIT_EXTERNAL_DIFF="randomizer diff" git diff
  git difftool -y -x 'randomizer diff --path "$MERGED"'"""

DIFF_EXAMPLES = """\
examples:
  randomizer diff vale.board vale-2.board
  randomizer diff --shown Swamp.xml Swamp.battlemap
  randomizer diff --format json world.battlemap world.tmx"""

REPLACE = r"""\
Replace terrains, hexsides, elevations, ways or texts in maps, in place: in all layers that are not
locked, hidden ones too. FILE is a map in a format that can be read and written; of a FOLDER it is
every map in it (not in folders below). What a file held before is kept in the folder
.battlelands-backups beside it. OLD and NEW are names of the map's terrain set; a "=" in a name is
written "\=". All replacements are made at once, so that two can exchange two terrains. A map that
does not know OLD is named and left as it is."""

REPLACE_EXAMPLES = """\
examples:
  randomizer replace --terrain Wood="Pine wood" world.battlemap --dry-run
  randomizer replace --terrain Bog=Lake --terrain Lake=Bog maps/
  randomizer replace --text Northmark=Southmark --way Track=Road world.battlemap"""

VARY = """\
Arrange the terrains of a map otherwise: N maps that have as many hexes of each terrain and
elevation as MAP, in clumps as there, with as much in reach from each side. They are not less fair
than --fair or MAP itself, and each is P percent different from MAP and from all others. What is
locked stays, and so do things, ways and rivers. If there are not as many, those that there are are
written, and why stands on standard error (exit code 1)."""

LEARN = """\
Learn a randomizer script from battlelands: from every map of a FOLDER, or from files. A map with
errors is named and left out. The script has comments with figures; standard error says by how much
its maps differ from those. From up to 30 maps it takes only what also holds for a map that it has
not seen. Ctrl-C writes the best script so far."""

LEARN_EXAMPLES = """\
examples:
  randomizer learn swamps/ --out Swamp.rnd
  randomizer learn a.xml b.xml c.xml --name Moor --closeness 0 --out Moor.rnd"""

LIST = "List the packaged generators with their settings, the terrain sets and the formats."
