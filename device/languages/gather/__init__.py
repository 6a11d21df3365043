"""Gathers what is to be translated. Not installed with the product."""

from device.languages.gather.catalogue import forms_of, gather_sentences, translations_of, updated

__all__ = ["forms_of", "gather_sentences", "translations_of", "updated"]
