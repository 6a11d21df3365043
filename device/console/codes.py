"""QR codes: what a phone opens when it scans them."""

import io
from urllib.parse import quote

import segno


def qr_svg(text: str) -> bytes:
    """The code of a text, as SVG."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, light="#fff", xmldecl=False
    )
    return out.getvalue()


def page_link(address: str, player: str = "", *, key: str, token: str = "") -> str:
    """What a player's code says: the player's page, and behind the # what no browser sends over the network.

    `player`: "" where the page asks who it is. `key`: the box's public key, for which the page seals.
    `token`: the seat's, "" where no seat is needed.
    """
    named = f"?player={quote(player[:40], safe='')}" if player else ""
    secret = f"seat={token}&" if token else ""
    return f"{address.rstrip('/')}/play{named}#{secret}key={key}"
