"""Xconq: worlds, periods and mapfiles. The catalogue names what others use; rooms follow below."""
