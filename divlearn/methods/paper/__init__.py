"""The method of the paper: position-wise bandits with several experts."""
