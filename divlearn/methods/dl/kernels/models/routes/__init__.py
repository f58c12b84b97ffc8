"""A model of orders that are cut into routes: hidden places, loads and limits."""
