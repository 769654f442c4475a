"""Every command of the desk: id, text, keys, icon, when it can be used; menus made from them.

The command palette, the settings of keys and the manual read the same table.
"""
