"""Find out whose each notebook is."""
