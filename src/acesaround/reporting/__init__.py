"""What commands print about long work: progress bars and tables on a terminal, and plots."""
