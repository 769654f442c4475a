"""Maps of Worldographer: the codec is in ``worldographer``."""
