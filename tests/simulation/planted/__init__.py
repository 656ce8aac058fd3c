"""Plants faults in the product, to see whether the simulation finds them."""
