"""What the desk adds to the maps of Xconq: menus, build mode, dialogs of mapfiles."""
