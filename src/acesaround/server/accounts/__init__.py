"""Who is asking: cookies, devices, pairing codes, and own variants."""
