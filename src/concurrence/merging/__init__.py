"""Labels to coarser categories that coders can agree on, with guards against fooling oneself."""
