"""What readers and writers of other programs' maps share: begin at ``codec``.

Only the modules of the formats above import from here.
"""
