"""What earlier statements of a session leave for later ones: variables, checkpoints, loops."""
