"""What commands print about long work: progress lines on a terminal, and plots."""
