"""Small random treebanks, and plain loops that find in them what patterns find."""

import polars as pl
from hypothesis import strategies as st

POS = ("VERB", "NOUN", "ADP", "ADJ", "DET")
RELATIONS = ("obl", "case", "obj", "compound:prt", "advcl", "conj", "xcomp", "det")


@st.composite
def trees(draw):
    """A sentence: words with form, lemma, pos, head and relation; heads come before or after, without circles."""
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(n)))
    heads = [0] * n
    for k, word in enumerate(order):
        heads[word] = 0 if k == 0 else order[draw(st.integers(0, k - 1))] + 1
    return [
        {
            "form": draw(st.sampled_from("abc")),
            "lemma": draw(st.sampled_from("xyz")),
            "pos": draw(st.sampled_from(POS)),
            "deprel": "root" if heads[w] == 0 else draw(st.sampled_from(RELATIONS)),
            "head": heads[w],
        }
        for w in range(n)
    ]


TREEBANKS = st.lists(trees(), min_size=1, max_size=6)


def table_of(treebank):
    """The table of tokens of a treebank."""
    return pl.DataFrame([{"sentence": s, **word} for s, words in enumerate(treebank) for word in words])


def signatures(pair_tokens):
    """Rows l1, l2, f, f1, f2, N from pair tokens, in the order of the project."""
    rows = []
    for l1, l2 in set(pair_tokens):
        f1, f2 = sum(a == l1 for a, _ in pair_tokens), sum(b == l2 for _, b in pair_tokens)
        rows.append((l1, l2, pair_tokens.count((l1, l2)), f1, f2, len(pair_tokens)))
    return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))


def dependents(words, head, relation):
    """The words that hang on a head (counted from 0) by a relation."""
    return [k for k, word in enumerate(words) if word["head"] == head + 1 and word["deprel"] == relation]


def phrases(words, *, comparing=("als", "wie")):
    """Prepositional phrases: position of the noun, and P+N."""
    return [
        (n, f"{words[p]['lemma']}+{noun['lemma']}")
        for n, noun in enumerate(words)
        if noun["pos"] in ("NOUN", "PROPN")
        for p in dependents(words, n, "case")
        if words[p]["pos"] == "ADP" and words[p]["lemma"] not in comparing
    ]


def verbs(words):
    """Main verbs: position, and lemma with the first particle before it."""
    main_verbs = []
    for v, verb in enumerate(words):
        if verb["pos"] == "VERB":
            particles = dependents(words, v, "compound:prt")
            main_verbs.append((v, (words[particles[0]]["lemma"] if particles else "") + verb["lemma"]))
    return main_verbs


def clause_head(words, k):
    """The word that heads the clause of a word."""
    while words[k]["head"]:
        relation = words[k]["deprel"].split(":")[0]
        if relation in ("root", "csubj", "ccomp", "advcl", "acl", "parataxis"):
            break
        if relation in ("conj", "xcomp") and words[k]["pos"] in ("VERB", "AUX"):
            break
        k = words[k]["head"] - 1
    return k


def phrase_verb_pairs(treebank, *, by_clause=False):
    """The papers' rule, by loops."""
    return [
        (phrase, verb)
        for words in treebank
        for n, phrase in phrases(words)
        for v, verb in verbs(words)
        if not by_clause or clause_head(words, n) == clause_head(words, v)
    ]


def read_conllu(text):
    """A treebank from CoNLL-U, by splitting lines."""
    treebank = []
    for block in text.strip().split("\n\n"):
        lines = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        columns = ("form", "lemma", "pos", "xpos")
        words = [
            {**dict(zip(columns, line[1:5], strict=True)), "head": int(line[6]), "deprel": line[7]}
            for line in lines
            if line[0].isdigit()
        ]
        treebank.append(words)
    return treebank
