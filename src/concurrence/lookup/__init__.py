"""Questions about words: queries, concordances, collocates, frequency and dispersion."""
