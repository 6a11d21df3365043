"""For all tests: a busy machine is slow, and slowness is no failure; chance looks briefly or widely.

`make test` looks at a few examples, always the same ones; `make test-long` looks at many, and at new ones.
"""

from hypothesis import HealthCheck, settings

unhurried = settings(
    deadline=None,
    # How many of the places drawn by chance a test passes over is its own affair.
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("brief", unhurried, max_examples=8, derandomize=True)
settings.register_profile("wide", unhurried, max_examples=100)
settings.load_profile("wide")
