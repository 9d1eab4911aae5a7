"""Calderon, Reichart & Dror 2025: winning rates and advantage probabilities of 52 judges on nine data sets.

Printed by the notebook ``alt_test_example.ipynb`` of the authors' repository nitaytech/AltTest, with the scores and
allowances given there. Their data are not part of the project; see ``expect.DATA_SETS``.
"""

import pytest

from support.expect import printed

SETTINGS = {
    "wax": ("accuracy", 0.1),
    "lgbteen": ("accuracy", 0.2),
    "mtbench": ("accuracy", 0.2),
    "framing": ("accuracy", 0.15),
    "cebab_aspects": ("accuracy", 0.1),
    "summeval": ("rmse", 0.2),
    "10k_prompts": ("rmse", 0.15),
    "cebab_stars": ("rmse", 0.1),
    "lesion": ("rmse", 0.15),
}
JUDGES = ("gemini_flash", "gemini_pro", "gpt-4o", "llama-31", "gpt-4o-mini", "mistral-v03")
LESION = ("gemini_flash", "gemini_pro", "gpt-4o", "gpt-4o-mini")
RATES = {
    "wax": "0.38 0.69, 0.50 0.74, 0.50 0.73, 0.00 0.57, 0.00 0.59, 0.00 0.50",
    "lgbteen": "0.25 0.71, 0.00 0.67, 0.75 0.77, 0.00 0.72, 0.75 0.76, 0.25 0.75",
    "mtbench": "0.00 0.72, 0.00 0.76, 0.00 0.77, 0.00 0.69, 0.00 0.74, 0.00 0.68",
    "framing": "1.00 0.83, 1.00 0.91, 1.00 0.92, 0.50 0.80, 1.00 0.87, 0.25 0.80",
    "cebab_aspects": "0.70 0.91, 0.90 0.94, 0.90 0.93, 0.60 0.89, 0.50 0.90, 0.10 0.81",
    "summeval": "0.00 0.46, 0.00 0.44, 0.00 0.48, 0.00 0.58, 0.00 0.54, 0.00 0.62",
    "10k_prompts": "0.31 0.67, 0.08 0.63, 0.69 0.76, 0.15 0.67, 0.92 0.80, 0.15 0.67",
    "cebab_stars": "0.60 0.82, 0.80 0.87, 0.90 0.90, 0.60 0.85, 0.90 0.89, 0.50 0.83",
    "lesion": "0.17 0.71, 1.00 0.81, 0.00 0.62, 0.67 0.73",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_winning_rates_and_advantage_probabilities(name, data_set, concur):
    files = [data_set(f"labels/alttest/{name}/{who}_annotations.json") for who in ("human", "llm")]
    score, epsilon = SETTINGS[name]
    judges = LESION if name == "lesion" else JUDGES
    done = concur("judge", *files, "--judge", ",".join(judges), "--score", score, "--epsilon", epsilon, "--json")
    for judge, rates in zip(judges, RATES[name].split(", "), strict=True):
        winning, advantage = rates.split()
        test = done.json["judges"][judge]["alt_test"]
        assert test["winning_rate"] == printed(winning), judge
        assert test["advantage_probability"] == printed(advantage), judge
