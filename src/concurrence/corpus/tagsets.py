"""From the tags of HanTa's models to universal parts of speech.

German has those of STTS, English those of CLAWS 5 (as the British National Corpus has them), Dutch those of CGN. No tag
says whether *have* is an auxiliary: such a verb becomes what it most often is, *do* an auxiliary and *have* a verb.
Marks are told by their characters.
"""

from unicodedata import category

SYMBOLS = ("%", "&", "§", "*", "#", "@")
"""Marks that stand for words."""

GERMAN = {
    **dict.fromkeys(("ADJ(A)", "ADJ(D)"), "ADJ"),
    **dict.fromkeys(("ADV", "PROAV", "PWAV"), "ADV"),
    **dict.fromkeys(("APPO", "APPR", "APPRART", "APZR", "PTKVZ"), "ADP"),
    **dict.fromkeys(("ART", "PDAT", "PIAT", "PPOSAT", "PRELAT", "PWAT"), "DET"),
    "CARD": "NUM",
    "ITJ": "INTJ",
    **dict.fromkeys(("KON", "KOKOM"), "CCONJ"),
    **dict.fromkeys(("KOUI", "KOUS"), "SCONJ"),
    "NE": "PROPN",
    **dict.fromkeys(("NN", "NNA", "NNI"), "NOUN"),
    **dict.fromkeys(("PDS", "PIS", "PPER", "PPOSS", "PRELS", "PRF", "PWS"), "PRON"),
    **dict.fromkeys(("PTKA", "PTKANT", "PTKNEG", "PTKZU"), "PART"),
    "VA": "AUX",
    "VM": "AUX",
    "VV": "VERB",
    "$": "PUNCT",
}
ENGLISH = {
    "AJ": "ADJ",
    "ORD": "ADJ",
    **dict.fromkeys(("AV0", "AVQ"), "ADV"),
    **dict.fromkeys(("AVP", "IN", "PRF", "PRP"), "ADP"),
    **dict.fromkeys(("AT0", "DT0"), "DET"),
    "CJC": "CCONJ",
    **dict.fromkeys(("CJS", "CJT"), "SCONJ"),
    "CRD": "NUM",
    "ITJ": "INTJ",
    "NP": "PROPN",
    "NN": "NOUN",
    **dict.fromkeys(("DPS", "DTQ", "EX0", "PN"), "PRON"),
    **dict.fromkeys(("POS", "TO0", "XX0"), "PART"),
    **dict.fromkeys(("VB", "VDB", "VDD", "VDZ", "VM"), "AUX"),
    "V": "VERB",
    "PU": "PUNCT",
}
DUTCH = {
    "ADJ": "ADJ",
    "BW": "ADV",
    "LET": "PUNCT",
    "LID": "DET",
    "N(eigen": "PROPN",
    "N(soort": "NOUN",
    "TSW": "INTJ",
    "TW(rang": "ADJ",
    "TW": "NUM",
    "VG(neven": "CCONJ",
    "VG(onder": "SCONJ",
    "VNW(aanw,adv-pron": "ADV",
    "VNW(aanw,det": "DET",
    "VNW(onbep,det": "DET",
    "VNW(vb,det": "DET",
    "VNW": "PRON",
    "VZ": "ADP",
    "WW": "VERB",
}


def part_of_speech(tags: dict[str, str], form: str, tag: str) -> str:
    """The universal part of speech of a word with its tag.

    >>> part_of_speech(GERMAN, "»", "XY"), part_of_speech(GERMAN, "%", "NN"), part_of_speech(GERMAN, "Tee", "NN")
    ('PUNCT', 'SYM', 'NOUN')
    """
    kinds = {category(letter)[0] for letter in form}
    if kinds == {"P"}:
        return "SYM" if form in SYMBOLS else "PUNCT"
    return "SYM" if kinds == {"S"} else universal(tags, tag)


def universal(tags: dict[str, str], tag: str) -> str:
    """The universal part of speech of a tag: that of its longest known beginning, or X.

    >>> universal(GERMAN, "VV(FIN)"), universal(ENGLISH, "VBZ"), universal(GERMAN, "FM")
    ('VERB', 'AUX', 'X')
    """
    matches = (tags[tag[:size]] for size in range(len(tag), 0, -1) if tag[:size] in tags)
    return next(matches, "X")
