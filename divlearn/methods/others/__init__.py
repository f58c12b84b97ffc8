"""What methods of other packages are made of."""
