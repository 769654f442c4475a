"""What is peculiar to battlelands when many are judged: fairness by the game's rules."""
