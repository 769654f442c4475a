"""Files of maps: open, save, close, tabs, backups, files changed by other programs."""
