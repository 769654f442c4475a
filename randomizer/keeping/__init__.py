"""How maps and edits reach the disk whole: encoding, journal, backups, atomic writes."""
