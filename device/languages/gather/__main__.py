"""`make words`: gathers the sentences of all rooms, and says what is left to translate."""

from device.languages.gather import (
    TRANSLATED,
    files_of,
    forms_of,
    gather_sentences,
    translations_of,
)


def main() -> None:
    """Write each language's files anew."""
    sentences = gather_sentences()
    for code in TRANSLATED:
        for path, content in files_of(code, sentences):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        left = [each for each in translations_of(code) if each.id and not all(forms_of(each.string))]
        print(f"{code}: {len(sentences)} sentences, {len(left)} left to translate")


if __name__ == "__main__":
    main()
