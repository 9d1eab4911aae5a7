"""Intervals and tests in words, each with its formula and source, for the methods at the end of a report."""

from collections.abc import Iterable

from concurrence.report.pages.methods import citation
from concurrence.report.render.document import Formula

# name: title, words, formula, references
_ROWS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "fleiss_cohen_everitt": (
        "Interval of kappa",
        "The estimate plus and minus the normal quantile times the large-sample standard error that holds whatever the "
        "true kappa is; the test of kappa = 0 uses the error that holds where it is 0. The two are never mixed.",
        r"\kappa \pm z_{1-\alpha/2}\, \hat{\sigma}(\kappa)",
        ("fleiss1969",),
    ),
    "gwet_t": (
        "Interval by Gwet's linearised error",
        "The variance of the items' contributions to the coefficient; the quantile is Student's t with n - 1 "
        "degrees of freedom.",
        r"\hat{\kappa} \pm t_{1-\alpha/2,\,n-1} \sqrt{\frac{1}{n(n-1)} \sum_i (\kappa_i^{*} - \hat{\kappa})^2}",
        ("gwet2014",),
    ),
    "bootstrap_percentile": (
        "Bootstrap interval",
        "Items are drawn with replacement, the coefficient is computed for each draw, and the quantiles of the draws "
        "are the ends.",
        "",
        ("efron1987",),
    ),
    "bootstrap_bca": (
        "Bootstrap interval, bias-corrected and accelerated",
        "Items are drawn with replacement; the quantiles of the draws are corrected for bias and for an error that "
        "changes with the value.",
        "",
        ("efron1987",),
    ),
    "jackknife": (
        "Jackknife error",
        "The coefficient is computed without each item in turn; the spread of these values gives the error.",
        r"\hat{\sigma}^2 = \frac{n-1}{n} \sum_i (\hat{\kappa}_{(i)} - \bar{\kappa})^2",
        ("efron1987",),
    ),
    "rate_poststratified": (
        "Rate by classes of what the judge said",
        "Candidates of which the judge said the same form a class. The share that people found true in each class "
        "counts for all of it. The interval is that of the posterior of how many true ones the rest of all classes "
        "holds, with Jeffreys's prior in each.",
        r"\hat{p} = \frac{1}{N} \sum_c N_c\, \frac{t_c}{n_c}",
        ("jeffreys1946",),
    ),
    "rate_regression": (
        "Rate by regression in strata",
        "The share that people found, plus the slope of their verdicts on the judge's times how much the judge's mean "
        "over the list exceeds its mean over the sample, stratum by stratum. The interval is that of people alone, "
        "narrowed by the share of the variance that the judge explains, extended to the posterior interval over strata "
        "and classes where that reaches further.",
        r"\hat{p} = \sum_h \frac{N_h}{N} \left(\bar{y}_h + \hat{\beta}\, (\bar{X}_h - \bar{x}_h)\right)",
        ("cochran1977",),
    ),
    "rate_clusters": (
        "Rate where documents vary",
        "The estimate is the same; its error comes from how the sums of each document's residuals vary.",
        "",
        ("cochran1977",),
    ),
    "rogan_gladen": (
        "A judge's share, corrected",
        "What the judge would have said by its errors alone is taken off, and what it misses added. The interval "
        "carries the errors of sensitivity, of specificity and of the judge's share where that is a sample.",
        r"\hat{p} = \frac{q + \mathit{sp} - 1}{\mathit{se} + \mathit{sp} - 1}",
        ("rogan1978", "lang2014"),
    ),
    "prior_posterior_ratio": (
        "An interval for every look",
        "Numbers of true ones are kept while their prior probability is less than 1/α times their posterior one. The "
        "true number is ever dropped with a probability of at most α, however often one looks.",
        r"\frac{\pi_0(K)}{\pi_t(K)} < \frac{1}{\alpha}",
        ("waudbysmith2020",),
    ),
    "latent_classes": (
        "Rates without gold",
        "Given what a candidate is, judges err independently and equally often in every part. Rates and errors are "
        "those of largest likelihood, intervals those of the profile likelihood.",
        r"P(x \mid s) = \pi_s \prod_j \mathit{se}_j^{x_j} (1-\mathit{se}_j)^{1-x_j} + (1-\pi_s) \prod_j "
        r"(1-\mathit{sp}_j)^{x_j} \mathit{sp}_j^{1-x_j}",
        ("hui1980",),
    ),
    "posterior": (
        "Posterior interval",
        "How common each pattern of labels may be is drawn from a Dirichlet distribution. The lower end supposes that "
        "one more item would have divided the coders, the upper end that it would have united them. It takes the place "
        "of the analytic interval where the data are too few for that.",
        "",
        ("gaffke2005",),
    ),
    "exact": (
        "Exact interval",
        "The shares of agreement that an exact binomial test does not reject, half of the error in each tail.",
        "",
        ("clopper1934",),
    ),
    "true_agreement": (
        "True agreement (the dual model)",
        "Some items are agreed on for good reason, the rest by coincidence. An amount m of true agreement is accepted "
        "where what is left looks like coincidence: by a binomial test under the assumption that true agreement is "
        "spread over both answers as all answers are (homogeneity), or by Fisher's test for any spread (conservative). "
        "Homogeneity takes the rates of the coders as known; with few disagreements, the interval with their error is "
        "reported, which accepts an amount where a spread that fits the rates passes Fisher's test.",
        r"p_c = p_1 p_2 + (1 - p_1)(1 - p_2), \quad X \sim \mathrm{Bin}(n - m, p_c)",
        ("krenn2004",),
    ),
    "hypergeometric": (
        "Exact interval for a sample without replacement",
        "The numbers of true positives in the n-best list that an exact hypergeometric test does not reject, given how "
        "many of the list were sampled and found true.",
        r"\{K : P(X \le k \mid K) \ge \alpha/2 \wedge P(X \ge k \mid K) \ge \alpha/2\}",
        ("evert2005",),
    ),
    "clopper-pearson": (
        "Clopper-Pearson interval",
        "The precisions that an exact binomial test does not reject; cautious where much of the list was sampled.",
        "",
        ("clopper1934", "evert2005"),
    ),
    "blaker": (
        "Blaker's interval",
        "Exact as Clopper and Pearson's, and never wider.",
        "",
        ("blaker2000",),
    ),
    "design": (
        "Interval for a designed sample",
        "Judgements are weighted by the inverse of their probability to be drawn; the variance is that of the design, "
        "with its finite populations.",
        r"\hat{p} = \frac{1}{n} \sum_{i \in s} \frac{y_i}{\pi_i}",
        ("horvitz1952",),
    ),
    "ratings_exact": (
        "Exact interval of an intraclass correlation",
        "The correlations that the F distribution of the ratio of mean squares does not refuse; exact for normally "
        "distributed ratings.",
        "",
        ("shrout1979", "mcgraw1996"),
    ),
    "ratings_harmonic_mean": (
        "Interval of an intraclass correlation with missing ratings",
        "As the exact one, with the mean squares that a complete table with the estimated variances would have; its "
        "number of ratings per item is the harmonic mean of the real numbers.",
        "",
        ("thomas1978",),
    ),
    "ratings_satterthwaite": (
        "Interval of ICC(2,1) and ICC(2,k)",
        "As the exact one; the mean squares of coders and error are pooled with Satterthwaite's degrees of freedom.",
        "",
        ("shrout1979", "mcgraw1996"),
    ),
    "ratings_generalized": (
        "Generalized interval of ICC(2,1) and ICC(2,k)",
        "Every mean square is divided by draws of its own chi-squared distribution; the middle of the correlations "
        "that these give is the interval.",
        "",
        ("weerahandi1993", "ionan2014"),
    ),
    "ratings_fisher_z": (
        "Interval of Lin's concordance correlation",
        "Lin's large-sample error through Fisher's transformation.",
        "",
        ("lin1989", "lin2000"),
    ),
    "ratings_jackknife": (
        "Interval of the overall concordance correlation",
        "Every item is left out once; the spread of the values on Fisher's scale gives the error, Student's t the "
        "quantile.",
        "",
        ("barnhart2002",),
    ),
    "ratings_bootstrap_bca": (
        "Intervals of rank coefficients",
        "Items are drawn with replacement; the quantiles of the draws are corrected for bias and for an error that "
        "changes with the value.",
        "",
        ("efron1987",),
    ),
    "limits_of_agreement": (
        "Limits of agreement",
        "The mean difference plus and minus the normal quantile times the standard deviation of the differences. For "
        "two coders the interval of a limit is exact for normal differences (noncentral t); for more, the standard "
        "deviation is that of two coders chosen at random, and the interval that of a sum of two mean squares.",
        r"\bar d \pm z\, s_d",
        ("bland1986", "carkeet2015", "graybill1980"),
    ),
    "reml": (
        "Variances by restricted maximum likelihood",
        "Items and coders are random effects; the variances are those under which the ratings that there are, freed "
        "of their mean, are most likely.",
        r"y_{ij} = \mu + a_i + b_j + e_{ij}",
        ("patterson1971",),
    ),
    "bradley_terry": (
        "Bradley and Terry's model",
        "Every item has a strength; the log odds that an item is preferred to another is the difference of theirs. "
        "Strengths sum to zero; intervals rest on the information.",
        r"\log \frac{P(a > b)}{P(b > a)} = \lambda_a - \lambda_b",
        ("bradley1952",),
    ),
    "davidson": (
        "Ties",
        "The probability that neither is preferred is highest for items of equal strength.",
        r"P(a = b) = \nu \sqrt{\pi_a \pi_b} / (\pi_a + \pi_b + \nu \sqrt{\pi_a \pi_b}), \quad \pi = e^{\lambda}",
        ("davidson1970",),
    ),
    "bias_reduced": (
        "Reduced bias",
        "Half the logarithm of the determinant of the information is added to the log-likelihood. The estimates have "
        "less bias and exist also where an item won or lost every comparison.",
        r"\ell^{*}(\lambda) = \ell(\lambda) + \tfrac{1}{2} \log |I(\lambda)|",
        ("firth1993",),
    ),
    "holm": (
        "Which items differ",
        "The differences of all pairs of strengths are tested, and the p-values corrected so that any false difference "
        "is rare. Items form groups in which no two are known to differ.",
        "",
        ("holm1979", "piepho2004"),
    ),
    "jackknife_coders": (
        "Intervals by coders",
        "Every coder is left out once; the spread of the strengths gives the error, which is at least that of "
        "independent comparisons, and Student's t the quantile, with Satterthwaite's degrees of freedom for coders who "
        "made different numbers of comparisons. They hold also where the comparisons of a coder are not independent.",
        "",
        ("efron1987",),
    ),
    "kendall_u": (
        "Agreement on comparisons",
        "How often two coders who compared the same two items gave the same answer, beyond what guessing at the same "
        "rate of ties would give; without ties this is Kendall's coefficient of agreement u.",
        r"u = (A_o - A_e) / (1 - A_e), \quad A_e = t^2 + (1 - t)^2 / 2",
        ("kendall1940",),
    ),
    "difference_sets": (
        "Two measures compared",
        "What both n-best lists share cannot tell them apart. Fisher's exact test compares the true positives among "
        "the judged candidates that only one list has with those that only the other has.",
        "",
        ("evert2005",),
    ),
}


# what an interval goes by in a column of a table
_SHORT = {
    "fleiss_cohen_everitt": "Fleiss, Cohen & Everitt",
    "gwet_t": "Gwet, Student's t",
    "bootstrap_percentile": "bootstrap, percentiles",
    "bootstrap_bca": "bootstrap, BCa",
}


def method_name(name: str | None) -> str:
    """The name of an interval's method for people; none where there is no interval.

    >>> method_name("gwet_t"), method_name("exact"), method_name(None)
    ("Gwet, Student's t", 'exact', '')
    """
    return _SHORT.get(name or "", (name or "").replace("_", " "))


def procedures(names: Iterable[str]) -> tuple[Formula, ...]:
    """The rows of these names, in the order of the table; a name without a row is left out."""
    wanted = set(names)
    return tuple(
        Formula(name=title, words=words, latex=latex, reference="; ".join(map(citation, keys)))
        for name, (title, words, latex, keys) in _ROWS.items()
        if name in wanted
    )
