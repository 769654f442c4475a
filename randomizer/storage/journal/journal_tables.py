"""The tables of a journal's database: what is stored of the undo steps of an open map, and where.

An example, the journal of a map that was rolled, painted twice, and saved after the first stroke.
One of the two strokes is undone now::

    steps   number 1, "Paint", layers 3 and 3, the edit, its digest
            number 2, "Paint", layers 3 and 3, the edit, its digest
    base    file "base-5f0c81d2", position 0: the map before both steps
    done    position 1 of count 2; saved 1
    about   name "Moor", path "/home/ann/moor.battlemap"
    texts   (the long texts that edits name by their digests, such as scripts)
    assets  (the pictures of the map's own terrains, by digest)

``journal_rows.py`` writes these rows, ``journal_table_reading.py`` reads them.
"""

VERSION = 10
"""The version of journals; others are not read."""

VERSION_FIELDS = ("user_version", "application_id")
"""The two fields in which a database has the version: a flipped bit makes no other version of it.
"""

LARGEST_VALUE = 2**28
"""The most bytes of the file of a base, and of a value in a table, that are written and read.

Larger ones, in a damaged or made-up file, would take as much memory as they say.
"""

TABLES = {
    "about": "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "base": (
        "CREATE TABLE base (file TEXT NOT NULL, position INTEGER NOT NULL, digest BLOB NOT NULL,"
        " last_step BLOB NOT NULL)"
    ),
    "done": (
        "CREATE TABLE done (position INTEGER NOT NULL, count INTEGER NOT NULL,"
        " saved INTEGER NOT NULL, time REAL NOT NULL, writes INTEGER NOT NULL,"
        " digest BLOB NOT NULL)"
    ),
    "steps": (
        "CREATE TABLE steps (number INTEGER PRIMARY KEY, text TEXT NOT NULL,"
        " old_active INTEGER NOT NULL, new_active INTEGER NOT NULL, extras TEXT NOT NULL,"
        " edit BLOB NOT NULL, digest BLOB NOT NULL)"
    ),
    "texts": "CREATE TABLE texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL)",
    "assets": "CREATE TABLE assets (digest TEXT PRIMARY KEY, data BLOB NOT NULL)",
}
"""The statement that makes each table, by its name; a database with other tables is no journal."""

KEEPING = ("base", "done")
"""The tables that have rows as long as the journal keeps anything."""
