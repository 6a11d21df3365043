"""Which photographs may be learnt from, and which labels are set right."""

import json
from pathlib import Path

import pytest

from models.training.photos import PHOTOS, WITHOUT_LABEL, correct, label_rightly, photos


def test_a_source_without_a_licence_is_not_learnt_from() -> None:
    with pytest.raises(ValueError, match="tomek may not be trained on; those that may: nell_byler"):
        photos("tomek")


def test_labels_that_the_pictures_contradict_are_set_right_and_no_other() -> None:
    assert correct("IMG_20191209_095439.jpg", (317.4, 371.6), 5) == 4
    assert correct("IMG_20191209_095555.jpg", (141.5, 244.6), 5) == 6
    assert correct("IMG_20191209_095555.jpg", (261.3, 377.2), 5) == 5
    assert correct("IMG_20191209_095555.jpg", None, 5) == 5
    assert correct("PXL_20240219_192106262.jpg", (146, 460), 6) == 5
    assert correct("PXL_20240219_192106262.jpg", (126, 422), 6) == 6


def test_dice_without_a_label_are_no_empty_places(tmp_path: Path) -> None:
    name, ((value, box),) = next(iter(WITHOUT_LABEL.items()))
    told = {"kind": "pip", "value": 3, "box": [1, 2, 40, 40]}
    listed = tmp_path / "truth.json"
    pictures = [{"image": each, "dice": [told], "truth": "boxes"} for each in (name, "another.jpg")]
    listed.write_text(json.dumps(pictures), encoding="utf-8")
    mended, other = label_rightly(listed)
    assert mended["dice"] == [told, {"kind": "pip", "value": value, "box": list(box)}]
    assert other["dice"] == [told]


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"the photographs are not there: {PHOTOS}")
def test_what_is_learnt_from_a_tray_has_the_dice_without_a_label() -> None:
    name = next(iter(WITHOUT_LABEL))
    ((value, box),) = WITHOUT_LABEL[name]
    (tray,) = (photo for photo in photos("rune55_trays") if photo.name == name)
    assert tray.boxes is not None
    assert len(tray.kinds) == len(tray.values) == len(tray.boxes)
    assert (tray.kinds[-1], tray.values[-1]) == ("pip", value)
    assert tray.boxes[-1].tolist() == list(box)


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"the photographs are not there: {PHOTOS}")
def test_the_photographs_have_a_value_for_every_box() -> None:
    two = photos("jamiekee_lime")
    assert [len(photo.values) for photo in two] == [1, 6]
    assert all(max(photo.picture.shape) == 1280 for photo in two)
