"""People: links, sessions, organisers, the secret, the security log."""
