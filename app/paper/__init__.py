"""Maps as pictures and on paper: true sizes, pages of a poster, PNG, SVG, PDF, printers."""
