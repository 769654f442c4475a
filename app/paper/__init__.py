"""Maps as pictures and on paper: true sizes, pages of a poster, PNG, SVG, PDF, printers.

The picture dialogs and ``app.cli`` call it; it needs no window.
"""
