"""Makes one film of pictures, in a process of its own. The only file that imports PyAV.

Why its own process: an encoder takes a second of a core and some 140 MB. So it takes them at a low priority,
gives them back when it ends, and if it falls, the box stands. This file knows the standard library and PyAV,
nothing of Callbox, and is started by its path.

    maker.py RATE < pictures > film

Pictures come on standard input, each as a header (how many pictures of the film it fills, and how many bytes
follow) and a JPEG. The last one is the picture at rest: the film has its size, others are made to fit it. The
film is H.264 in MP4, which phones and browsers play, RATE pictures a second. What goes wrong is the last line
on standard error, and the status is 1.

Colours: a JPEG has BT.601 in full range, a film has it in limited range, and says so: else a player that
guesses takes a large picture for BT.709.
"""

import io
import os
import struct
import sys
from collections.abc import Iterator
from fractions import Fraction

import av
from av.video.frame import PictureType, VideoFrame
from av.video.reformatter import ColorRange, Colorspace

HEADER = struct.Struct(">HI")
QUALITY = {"preset": "veryfast", "crf": "23"}
"""x264's words. A quicker preset takes twice the disk, and hardly less time; 23 is x264's own default."""
NICENESS = 10
FEWEST_KEYS = 1_000_000
"""x264 puts no key by itself before so many pictures."""
MOUNTED = "callbox: the camera was on its mount"
"""Stands in the film, for a box that is shown it: `device.cameras.film` looks for it."""


def unpack(packed: bytes) -> list[tuple[int, bytes]]:
    """The pictures and how many of the film each fills; raises `struct.error` where a header is cut off."""
    at, pictures = 0, []
    while at < len(packed):
        count, size = HEADER.unpack_from(packed, at)
        at += HEADER.size + size
        pictures.append((count, packed[at - size : at]))
    return pictures


def make(pictures: list[tuple[int, bytes]], rate: int) -> bytes:
    """The film's bytes; raises `av.FFmpegError` for what is no JPEG, `ValueError` without a picture."""
    if not pictures:
        raise ValueError("a film needs a picture")
    rest = _decoded(pictures[-1][1])
    film = io.BytesIO()
    with av.open(film, "w", format="mp4") as container:
        container.metadata["comment"] = MOUNTED
        stream = container.add_stream("libx264", rate=rate, options=QUALITY)
        # The chroma of a film is of half the size, so it has an even number of rows and columns.
        stream.width, stream.height, stream.pix_fmt = rest.width & ~1, rest.height & ~1, "yuv420p"
        context = stream.codec_context
        context.thread_count, context.max_b_frames = 1, 0
        context.gop_size = FEWEST_KEYS
        context.color_range, context.colorspace = ColorRange.MPEG, Colorspace.SMPTE170M
        for at, (picture, begins) in enumerate(_film(pictures, rest, stream.width, stream.height, rate)):
            picture.pts, picture.time_base = at, Fraction(1, rate)
            picture.pict_type = PictureType.I if begins else PictureType.NONE
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return film.getvalue()


def _film(
    pictures: list[tuple[int, bytes]], rest: VideoFrame, width: int, height: int, rate: int
) -> Iterator[tuple[VideoFrame, bool]]:
    """The film's pictures in order, and whether each is a key: it is whole, and those after it build on it.

    While something moves there is one a second, so whoever steps back goes over few pictures. At rest there
    is only the first: a new key looks slightly different, and nothing changes there.
    """
    last, at = len(pictures) - 1, 0
    for number, (count, jpeg) in enumerate(pictures):
        decoded = rest if number == last else _decoded(jpeg)
        fitted = decoded.reformat(
            width,
            height,
            "yuv420p",
            src_colorspace=Colorspace.ITU601,
            dst_colorspace=Colorspace.ITU601,
            src_color_range=ColorRange.JPEG,
            dst_color_range=ColorRange.MPEG,
        )
        for again in range(count):
            yield fitted, not again if number == last else at % rate == 0
            at += 1


def _decoded(jpeg: bytes) -> VideoFrame:
    decoder = av.CodecContext.create("mjpeg", "r")
    return decoder.decode(av.Packet(jpeg))[0]


def main() -> int:
    """Read, make, write."""
    os.nice(NICENESS)
    try:
        film = make(unpack(sys.stdin.buffer.read()), int(sys.argv[1]))
    except (av.FFmpegError, ValueError, struct.error) as error:
        print(f"the encoder refuses the pictures: {error}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(film)
    return 0


if __name__ == "__main__":
    sys.exit(main())
