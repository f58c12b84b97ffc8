"""What the study of the theory shows: measurements, tables, figures, claims."""
