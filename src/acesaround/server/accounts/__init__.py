"""Identity of the requester: cookies, devices, pairing codes, and personal variants."""
