"""Bootstrap and jackknife from patterns with multinomial weights."""
