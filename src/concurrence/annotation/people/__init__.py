"""Who takes part: coders, leaders and organisers, their links, sessions and names."""
