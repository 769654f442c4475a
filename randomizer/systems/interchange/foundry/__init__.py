"""Scenes of Foundry Virtual Tabletop: the codec is in ``foundry``."""
