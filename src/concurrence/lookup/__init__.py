"""Questions about words: queries, concordances, collocates, frequency and dispersion. Needs no more than numpy."""
