"""The desk of Battlelands Builder: the Qt program around the core in ``randomizer``."""
