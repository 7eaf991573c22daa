"""How the time of a call grows with its input.

A case makes an input of n things, and runs a call over it. The time of 8n may be as much more than the time of n as
n log n gives, with room for caches and noise; a quadratic call takes 64 times as long, and fails. Time is processor time of
the process: other programs do not count, and the threads of the library do."""

import gc
import math
import time

#: How much more than n log n is put down to caches and noise.
TOLERANCE = 2.2
#: Below these seconds the fixed part of a call hides its growth.
SHORTEST = 0.003
SIZES = (1, 2, 4, 8)


def allowed(count):
    """The ratio of the times of 8n and n that n log n gives, with the tolerance."""
    return 8 * math.log2(8 * count) / math.log2(count) * TOLERANCE


def seconds(make, run, count, tries):
    """The shortest of some runs, each over an input of its own."""
    best = math.inf
    for _ in range(tries):
        given = make(count)
        gc.collect()
        gc.disable()
        start = time.process_time()
        run(given)
        best = min(best, time.process_time() - start)
        gc.enable()
        del given
    return best


def measured(make, run, count, tries=2):
    return [seconds(make, run, size * count, tries) for size in SIZES]


def is_fine(first, last, count):
    return last <= allowed(count) * max(first, SHORTEST)


def grows(make, run, count):
    """The times where the call takes longer than n log n allows, else None. A first impression is checked again: other
    work on the machine makes a call slower, and never faster."""
    if is_fine(seconds(make, run, count, 1), seconds(make, run, SIZES[-1] * count, 1), count):
        return None
    times = measured(make, run, count)
    for tries in (3, 5):
        if is_fine(times[0], times[-1], count):
            return None
        times = [min(pair) for pair in zip(times, measured(make, run, count, tries))]
    return None if is_fine(times[0], times[-1], count) else times


class Cases(dict):
    """Cases by name: a decorated function makes the input of n things and returns what is run over it."""

    def case(self, count):
        def register(function):
            self[function.__name__] = (function, count)
            return function

        return register

    def check(self, name):
        """Fails where a case grows by more than n log n."""
        function, count = self[name]
        times = grows(function, lambda run: run(), count)
        assert times is None, f"{name}: {', '.join(f'{t:.4f}' for t in times)} s for {count} × 1, 2, 4, 8"
