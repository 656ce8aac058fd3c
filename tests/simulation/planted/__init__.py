"""Faults that are planted in the product, to see whether the simulation finds them."""
