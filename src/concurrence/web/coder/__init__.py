"""The coder's page and its addresses: a part is loaded, decisions and comments are sent."""
