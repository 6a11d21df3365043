"""Films are given to pages of the box, whole or in parts, and to nobody else."""

from pathlib import Path

from device.films import Shelf
from tests.device.console.fake_box import FakeBox, console


def test_a_film_is_given_whole_or_in_the_parts_that_a_phone_asks_for(tmp_path: Path) -> None:
    desk, film = FakeBox(), tmp_path / "3.mp4"
    film.write_bytes(bytes(range(100)))
    desk.films[3] = film
    client = console(desk)
    whole = client.get("/film/3.mp4")
    assert (whole.status_code, whole.content) == (200, bytes(range(100)))
    assert (whole.headers["content-type"], whole.headers["accept-ranges"]) == ("video/mp4", "bytes")
    assert whole.headers["cache-control"] == "no-store"
    part = client.get("/film/3.mp4", headers={"range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, bytes(range(10, 20)))
    assert part.headers["content-range"] == "bytes 10-19/100"
    gone = client.get("/film/4.mp4")
    assert (gone.status_code, gone.json()["text"]) == (404, "That film is not kept any more.")


def test_a_page_is_told_that_a_film_is_damaged(tmp_path: Path) -> None:
    shelf, desk = Shelf(tmp_path, 10), FakeBox()
    shelf.keep(1, 3, bytes(1000))
    film = tmp_path / "1/3.mp4"
    film.write_bytes(film.read_bytes()[:500])
    desk.film = lambda number, game_id=None: shelf.path(game_id or 1, number)  # type: ignore[method-assign]
    said = console(desk).get("/film/3.mp4")
    assert said.status_code == 404
    assert "The film of this throw is damaged" in said.json()["text"]


def test_films_come_from_the_box_alone() -> None:
    policy = console(FakeBox()).get("/").headers["content-security-policy"]
    assert "media-src 'self';" in policy
    assert policy.startswith("default-src 'none'")
