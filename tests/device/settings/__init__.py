"""Tests of the settings file as it is changed, and of what pages are shown of it."""
