"""`make words`: gathers all sentences, compiles the catalogues, and says what is left to translate."""

from device.languages.compile import TRANSLATED, catalogue_path, compile_languages
from device.languages.gather import forms_of, gather_sentences, translations_of, updated


def main() -> None:
    """Bring each language's catalogue up to date."""
    sentences = gather_sentences()
    for code in TRANSLATED:
        catalogue_path(code).parent.mkdir(parents=True, exist_ok=True)
        catalogue_path(code).write_bytes(updated(code, sentences))
        left = [each for each in translations_of(code) if each.id and not all(forms_of(each.string))]
        print(f"{code}: {len(sentences)} sentences, {len(left)} left to translate")
    compile_languages()


if __name__ == "__main__":
    main()
