"""The palette: terrain, elevation and hexsides to paint."""
