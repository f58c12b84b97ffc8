"""The paper's algorithms, compiled."""
