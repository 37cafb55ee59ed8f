"""Draws places at random of all that people read: comments, messages, captions, sentences of pages, texts of data.

usage: sample_words.py [COUNT] [SEED] [FOLDER...]    300 places, seed 1, everywhere by default
"""

import random
import re
import sys

import words_test

SENTENCE = re.compile(r"(?<=[.!?])\s+")


def comments(code):
    """Comments of C++, those on successive lines as one."""
    for match in re.finditer(r"(?:^[ \t]*//[^\n]*\n)+|//[^\n]*", code, re.M):
        yield match.start(), re.sub(r"\s*//[/<]*\s*", " ", match[0])


def strings(code):
    for match in re.finditer(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', code):
        yield match.start(), re.sub(r'"\s*"', "", match[0].strip())


def paragraphs(page):
    for match in re.finditer(r"(?:^(?!    |```|<!--|\|[ -]*-)[^\n]+\n)+", page, re.M):
        yield match.start(), match[0]


def places(path):
    """Where they begin, and their text."""
    read, _ = words_test.parts(path)
    if path.suffix in words_test.CODE:
        yield from comments(read)
        yield from strings(re.sub(r"//[^\n]*", lambda match: " " * len(match[0]), read))
    elif path.suffix == ".json":
        yield from strings(read)
    elif path.suffix == ".md":
        yield from paragraphs(read)


def sentences():
    folders = tuple(sys.argv[3:])
    for name, path in words_test.files():
        if folders and not name.startswith(folders):
            continue
        text = path.read_text(errors="replace")
        for start, paragraph in places(path):
            for sentence in SENTENCE.split(" ".join(paragraph.split())):
                if len(re.findall(r"\b[a-z]{2,}\b", sentence)) >= 4:
                    yield f"{name}:{text.count(chr(10), 0, start) + 1}", sentence


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    found = list(sentences())
    for place, sentence in random.Random(seed).sample(found, min(count, len(found))):
        print(f"{place}: {sentence}")
    print(f"{min(count, len(found))} of {len(found)} places")


if __name__ == "__main__":
    main()
