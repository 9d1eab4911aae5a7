"""``python -m benchmarks.trust ROOM …``: the settings of some rooms, kept beside those of the others."""

import sys

from benchmarks import trust

if __name__ == "__main__":
    names = sys.argv[1:] or trust.rooms()
    observed = trust.observe_rooms(names)
    trust.keep(observed, only_these=False)
    for one in observed:
        print(
            f"{one.trusted_share:.3f} of {one.trusted:,} trusted, {one.share:.3f} ± {one.error:.3f} of {one.printed:,}"
            f"  {one.room}: {one.statistic}; {one.where}"
        )
