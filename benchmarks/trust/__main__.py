"""``python -m benchmarks.trust [--again] [ROOM …]``: the settings of some rooms, or of all, stored as they are done."""

import sys

from benchmarks import trust

if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "--again"] or trust.rooms()
    for one in trust.observe_rooms(names, again="--again" in sys.argv):
        trust.keep(one)
        print(
            f"{one.trusted_share:.3f} of {one.trusted:,} trusted, {one.share:.3f} ± {one.error:.3f} of {one.printed:,}"
            f"  {one.room}: {one.statistic}; {one.where}",
            flush=True,
        )
