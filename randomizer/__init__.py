"""The core of Battlelands Builder: maps, edits, languages, generators, file formats. No Qt."""
