"""The panel of layers and its commands."""
