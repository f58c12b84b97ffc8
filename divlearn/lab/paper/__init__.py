"""The paper's studies: each with its runs, tables, figures and a verdict per claim."""
