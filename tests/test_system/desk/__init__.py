"""What Test land adds to the desk."""
