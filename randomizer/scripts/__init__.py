"""Scripts as files: the hosts of their languages, their folders, the time that a run may take."""
