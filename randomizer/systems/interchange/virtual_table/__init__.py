"""Files for virtual tables: what ``foundry`` and ``universal_vtt`` share. Begin at ``codec``."""
