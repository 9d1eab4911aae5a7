"""Who is asking: links, sessions, and the pages that open and end them."""
