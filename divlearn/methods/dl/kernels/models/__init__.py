"""What is learned: tables of changes, points behind pair costs, products, processes."""
