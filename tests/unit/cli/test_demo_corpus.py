"""The demonstration corpus holds the prose of the language reference, each paragraph once, and no code."""

from concurrence.cli.demo.corpus import _prose, demo_sentences


def test_the_corpus_is_prose_of_tens_of_thousands_of_words_with_no_paragraph_twice():
    corpus = demo_sentences()
    words = [token for sentence in corpus for token in sentence.split() if token.isalpha()]
    assert 25_000 < len(words) < 90_000
    assert any("keyword arguments" in sentence for sentence in corpus)
    long = [sentence for sentence in corpus if len(sentence.split()) > 25]
    assert len(set(long)) > 0.98 * len(long)


def test_code_grammar_tables_and_headings_are_left_out():
    assert _prose("Assignment statements\n*********************") == ""
    assert _prose('   target ::= identifier\n       | "(" [target_list] ")"') == ""
    assert _prose("   x = [1, 2]\n   print(x[0])") == ""
    assert _prose("+-----+-----+\n| a   | b   |") == ""


def test_wrapped_words_are_joined_and_markup_is_removed():
    assert _prose('* A user-\n  defined "class" is *an* object.') == "A user-defined  class  is  an  object."
