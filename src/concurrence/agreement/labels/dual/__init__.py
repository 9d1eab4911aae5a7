"""The dual model: how much of the agreement is true."""
