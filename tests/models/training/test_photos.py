"""Which photographs may be learnt from, and which labels are set right."""

import pytest

from models.training.photos import PHOTOS, correct, photos


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


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"the photographs are not there: {PHOTOS}")
def test_the_photographs_have_a_value_for_every_box() -> None:
    two = photos("jamiekee_lime")
    assert [len(photo.values) for photo in two] == [1, 6]
    assert all(max(photo.picture.shape) == 1280 for photo in two)
