"""Models of coders: whom to rely on, and the label each item probably has."""
