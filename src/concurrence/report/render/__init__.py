"""How a document is drawn: terminal, HTML, Markdown and LaTeX, charts."""
