"""Published agreement on real corpora: NorDiaChange, PandaLM, CrowdScale 2013."""

import pytest

from support.expect import printed


def test_ordinal_alpha_of_nordiachange(concur, data_set):
    """Kutuzov et al. (2022), with 0 = cannot decide as missing."""
    found = concur("agree", data_set("labels/nordiachange1.csv"), "--scale", "ordinal", "--missing", "0", "--json").json
    assert found["coefficients"]["krippendorff_alpha"]["value"] == printed("0.76104")
    assert found["coefficients"]["krippendorff_alpha"]["dropped"] == found["data"]["dropped"] > 0


def test_pairwise_kappas_of_pandalm(concur, data_set):
    found = concur("agree", data_set("labels/pandalm.csv"), "--json").json
    kappas = [pair["cohen_kappa"] for pair in found["pairs"]]
    assert kappas == [printed("0.85"), printed("0.88"), printed("0.86")]
    assert [sum(map(sum, pair["confusion"])) for pair in found["pairs"]] == [999, 999, 999]


def test_repeats_in_crowdscale_are_reported_not_swallowed(concur, data_set):
    file = data_set("labels/crowdscale_googlekg.csv")
    refused = concur("agree", file)
    assert refused.code == 2
    assert "1,810" in refused.err
    first, last = (
        concur("agree", file, "--repeats", which, "--no-pairs", "--json").json for which in ("first", "last")
    )
    assert first["data"]["labels"] == last["data"]["labels"]
    alphas = [found["coefficients"]["krippendorff_alpha"]["value"] for found in (first, last)]
    assert alphas[0] == pytest.approx(alphas[1], abs=0.01)
    assert alphas[0] != alphas[1]


def test_groups_have_their_own_analysis_and_a_simple_mean(concur, data_set):
    options = ("--scale", "ordinal", "--missing", "0", "--by", "word", "--json", "--no-pairs")
    found = concur("agree", data_set("labels/nordiachange1.csv"), *options).json
    values = [group["coefficients"]["krippendorff_alpha"]["value"] for group in found["groups"].values()]
    known = [value for value in values if value is not None]
    assert found["mean"]["krippendorff_alpha"] == pytest.approx(sum(known) / len(known))
    assert found["mean_over"]["krippendorff_alpha"] == len(known)
