"""Files on the disk: atomic writes, backups, locks, names."""
