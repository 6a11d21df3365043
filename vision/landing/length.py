"""A length that is known roughly."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Self


@dataclass(frozen=True, slots=True)
class Length:
    """A length, and one sigma of it."""

    mm: float
    sigma_mm: float

    def with_other(self, other: Self, in_common: float = 0.0) -> Self:
        """This one put together with another's word on it, of which so large a share was known already."""
        share = self.sigma_mm**2 / (self.sigma_mm**2 + other.sigma_mm**2)
        left = 1 - (1 - in_common) * share
        return replace(self, mm=self.mm + share * (other.mm - self.mm), sigma_mm=self.sigma_mm * sqrt(left))
