"""Gathers what is to be translated. Not installed with the product, since it needs Babel."""

from device.languages.gather.catalogue import (
    TRANSLATED,
    files_of,
    forms_of,
    gather_sentences,
    translations_of,
)

__all__ = ["TRANSLATED", "files_of", "forms_of", "gather_sentences", "translations_of"]
