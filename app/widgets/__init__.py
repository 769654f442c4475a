"""The desk's widgets: canvas, palette, layers, the roll panel, problems, dialogs."""
