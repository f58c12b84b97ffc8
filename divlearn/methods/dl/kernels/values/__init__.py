"""What changes are worth where nothing is permuted, learned and searched."""
