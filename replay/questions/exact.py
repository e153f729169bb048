"""Exact tests, as SQL macros, for questions and free SQL alike.

`binomial_p(k, n, p)` is the two-sided exact binomial test: the chance, with n dice of which each succeeds with chance
p, of a count that is no likelier than k. `binomial_at_least(k, n, p)` is the chance of k successes or more. Both sum
the probabilities themselves, not a normal or chi-squared curve; terms further than 40 standard deviations from the
expectation are below any number a computer can hold, and are left out.
"""

__all__ = ["MACROS"]

MACROS = (
    # The logarithm of the chance of exactly k successes among n; callers see to it that 0 < p < 1.
    """CREATE MACRO binomial_log(k, n, p) AS
        lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * ln(p) + (n - k) * ln(1 - p)""",
    # The counts that have a chance worth naming.
    """CREATE MACRO binomial_counts(n, p) AS
        range(greatest(0, floor(n * p - 40 * sqrt(n * p * (1 - p)) - 40))::BIGINT,
              least(n, ceil(n * p + 40 * sqrt(n * p * (1 - p)) + 40))::BIGINT + 1)""",
    # Counts as likely as k belong to the sum; 1e-7 absorbs the rounding between the two sides.
    """CREATE MACRO binomial_two_sided(k, n, p) AS CASE
        WHEN k IS NULL OR n IS NULL OR p IS NULL OR n < 1 THEN NULL
        WHEN p <= 0 THEN CASE WHEN k = 0 THEN 1.0 ELSE 0.0 END
        WHEN p >= 1 THEN CASE WHEN k = n THEN 1.0 ELSE 0.0 END
        ELSE least(1.0, greatest(exp(binomial_log(k, n, p)), coalesce(list_sum(list_transform(
            list_filter(list_transform(binomial_counts(n, p), lambda i: binomial_log(i, n, p)),
                lambda l: l <= binomial_log(k, n, p) + 1e-7),
            lambda l: exp(l))), 0.0))) END""",
    """CREATE MACRO binomial_upwards(k, n, p) AS CASE
        WHEN k IS NULL OR n IS NULL OR p IS NULL OR n < 1 THEN NULL
        WHEN k <= 0 OR p >= 1 THEN 1.0
        WHEN p <= 0 THEN 0.0
        ELSE least(1.0, greatest(exp(binomial_log(k, n, p)), coalesce(list_sum(list_transform(
            list_filter(binomial_counts(n, p), lambda i: i >= k), lambda i: exp(binomial_log(i, n, p)))), 0.0))) END""",
    # A chance such as 1 / 6 or 0.5 may come as a decimal number, which overflows where a double does not.
    "CREATE MACRO binomial_p(k, n, p) AS binomial_two_sided(k::BIGINT, n::BIGINT, p::DOUBLE)::DOUBLE",
    "CREATE MACRO binomial_at_least(k, n, p) AS binomial_upwards(k::BIGINT, n::BIGINT, p::DOUBLE)::DOUBLE",
)
