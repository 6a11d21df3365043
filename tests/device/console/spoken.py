"""A desk at which a game is told in words, as tests of the rulebooks tell it."""

from tests.device.console.fake_box import PlayingBox
from tests.engine.say import event_of


class SpokenBox(PlayingBox):
    """Plays what is said."""

    def say(self, words: str) -> None:
        """Take the events told, with commas between them; raises `ValueError` for one that is refused."""
        for phrase in words.split(","):
            answer = self._try(event_of(phrase))
            if not answer.ok:
                raise ValueError(answer.text)
