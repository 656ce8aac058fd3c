"""Tasks that a server repeats: cleanup by the retention policy, and others."""
