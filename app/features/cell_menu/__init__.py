"""The menus of a right click on a cell or on a hexside."""
