"""Reports on long work: progress bars and tables on a terminal, and plots."""
