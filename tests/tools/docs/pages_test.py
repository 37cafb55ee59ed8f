#!/usr/bin/python3
"""What is a command, what is marked how, and that a page with a wrong command fails.

usage: pages_test.py PROGRAM
"""

import sys

sys.dont_write_bytecode = True

import pathlib
import tempfile
import unittest

import commands_test
import pages

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None


def page_of(folder, text):
    path = pathlib.Path(folder) / "page.md"
    path.write_text(text)
    return pages.read_page(path)


class WithPage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="vgsim-pages-")
        self.addCleanup(self.folder.cleanup)

    def read(self, text):
        return page_of(self.folder.name, text)


class Reading(WithPage):
    def commands(self, text):
        return [each.text for each in self.read(text).commands()]

    def test_blocks_of_shell_indented_or_fenced_are_commands(self):
        self.assertEqual(self.commands("```sh\nvgsim a\n# why\nvgsim b \\\n  c\n```\n"),
                         ["vgsim a", "vgsim b \\\n  c"])
        self.assertEqual(self.commands("So:\n\n    vgsim a\n\nand\n"), ["vgsim a"])
        self.assertEqual(self.commands("```text\nvgsim a\n```\n"), [])

    def test_a_block_must_say_what_it_is(self):
        with self.assertRaisesRegex(pages.Wrong, "page.md:1: a block of \"\""):
            self.read("```\nvgsim a\n```\n")

    def test_inline_commands_may_go_on_in_the_next_line(self):
        self.assertEqual(self.commands("Try `vgsim run\nx.json`, `--full` or `vgsim`.\n"),
                         ["vgsim run x.json"])

    def test_lines_that_workflows_run_are_commands(self):
        self.assertEqual(self.commands("```yaml\n- uses: x\n- run: tools/vgsim a   # b\n```\n"),
                         ["tools/vgsim a"])

    def test_marks_are_known_words(self):
        with self.assertRaisesRegex(pages.Wrong, "no mark \"skip\""):
            self.read("<!-- docs: skip -->\n```sh\nvgsim a\n```\n")
        with self.assertRaisesRegex(pages.Wrong, "no mark \"not run\""):
            self.read("`vgsim a b` <!-- docs: not run -->\n")

    def test_marks_stand_before_what_they_mark(self):
        with self.assertRaisesRegex(pages.Wrong, "page.md:1: no block follows"):
            self.read("<!-- docs: gpu -->\nText.\n\n```sh\nvgsim a\n```\n")
        with self.assertRaisesRegex(pages.Wrong, "nothing here begins with \"vgsim b\""):
            self.read("<!-- docs for vgsim b: gpu -->\n\n```sh\nvgsim a\n```\n")

    def test_a_mark_for_words_leaves_other_commands_alone(self):
        page = self.read("<!-- docs for vgsim a: gpu -->\n\n```sh\nvgsim a b\nvgsim ab\n```\n")
        self.assertEqual([each.mark and each.mark.kind for each in page.commands()], ["gpu", None])

    def test_anchors_are_those_of_the_hosts(self):
        self.assertEqual(pages.slug("An architect's `--set` *questions*: 1"),
                         "an-architects---set-questions-1")


class Running(WithPage):
    def wrong(self, text):
        page = self.read(text)
        desk = pathlib.Path(self.folder.name) / "desk"
        desk.mkdir()
        test = commands_test.PageTest(page, commands_test.Desk(desk, PROGRAM, None))
        test.run()
        return test.wrong

    def test_what_holds_is_not_reported(self):
        self.assertEqual(self.wrong("""
<!-- docs: file mine.json -->
```json
{ "name": 3 }
```

<!-- docs: exit 2 -->
```sh
vgsim validate mine.json
```

```sh
echo one; echo two; echo three
```

<!-- docs: output -->
```text
one
...
three
```

`vgsim run FILE.json --set` and `vgsim doctor`.
"""), [])

    def test_what_fails_is_reported_with_its_line(self):
        wrong = self.wrong("""
```sh
vgsim validate nothing.json
```

```sh
echo one
```

<!-- docs: output -->
```text
two
```

`vgsim run FILE.json --sett` and `vgsim dokter`, `vgsim validate gone.json`.
""")
        self.assertEqual([each.split(": ")[0] for each in wrong],
                         ["page.md:2", "page.md:11", "page.md:15", "page.md:15", "page.md:15"])


if __name__ == "__main__":
    unittest.main()
