"""Why an event was not taken, in words for people. A refusal changes nothing."""

from engine.wording import phrase


class Refused(Exception):
    """The event was not taken. `str(refusal)` is one or two sentences for the players."""

    kind = "refused"


class Unreadable(Refused):
    """The input is no event at all: broken text, an unknown word, a value no die can show."""

    kind = "unreadable"


class AgainstTheRules(Refused):
    """A well-formed event that the rulebook forbids now."""

    kind = "against the rules"

    def __init__(self, text: str, rule: str = "") -> None:
        """`rule` is the number of the broken rule in the rulebook's file, such as "4" or "7b"."""
        super().__init__(phrase("{reason} (rule {rule})", reason=text, rule=rule) if rule else text)
        self.rule = rule
