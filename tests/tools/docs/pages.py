"""The pages of the project: their commands, what is marked of these, links and headings.

A command is a line of an indented block or of a fenced one of `sh`, an inline `vgsim ...` or `./tools/...`,
and a `run:` or script line of `yaml`. All are run as written, except as a mark directs, a comment
that readers do not see:

    <!-- docs: MARK -->                before a block, or behind an inline command
    <!-- docs for COMMAND: MARK -->    anywhere: for all commands of the page that begin with these words

    elsewhere TEST    this CTest test runs it or its equivalent
    not run: WHY      it needs root, a network ...
    gpu               run with the fake libraries of tests/tools/probe/cuda; without those it must report
                      that there is nothing to measure
    cluster           run with a separate Slurm of one node
    ssh               run with an ssh that stays on this machine
    exit N            the last command of the block ends with this code
    file NAME         no command: the block is the content of this file from here on
    output            no command: the block is what the commands before it print
"""

import pathlib
import re
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDERS = ["configs", "models", "sim", "tests", "tools", "topology"]

FENCES = {"sh", "text", "json", "yaml", "cmake", "cpp"}
MARK = re.compile(r"<!-- docs: (.*?) -->")
MARK_FOR = re.compile(r"<!-- docs for (.*?): (.*?) -->")
KINDS = re.compile(
    r"(elsewhere) (\S+)|(not run): (\S.*)|(gpu)|(cluster)|(ssh)|(exit) (\d+)|(file) (\S+)|(output)")
MADE = re.compile(r"<!-- (made by|output of): (.*?) -->\n(.*?)<!-- end -->\n", re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
SPAN = re.compile(r"(`+)(.+?)\1", re.S)
COMMAND = re.compile(
    r"(?:\./|[\w.-]+/)*tools/(?:vgsim|test|setup|cluster/\S+) \S|\./tools/|vgsim [a-z-]"
    r"|(?:[\w-]+/)+bin/\S+ \S|tests/[\w/.-]+ -|[A-Z_]+=\S+ \w+ "
    r"|(?:cmake|cpack|ctest|dpkg|apt|apt-get|podman|docker|git|kubectl|sbatch|scontrol|source|man) [^ ]")
YAML_COMMAND = re.compile(r"^\s*- (?:run: )?((?:\S*tools/|vgsim |git ).*)$")


class Wrong(Exception):
    """An invalid page; the message has the location."""


@dataclass
class Mark:
    kind: str
    text: str = ""


@dataclass
class Command:
    line: int
    text: str
    mark: Mark | None = None
    inline: bool = False


@dataclass
class Block:
    """Lines that are one script, a file or an output."""
    line: int
    language: str
    text: str
    mark: Mark | None = None
    commands: list = field(default_factory=list)


@dataclass
class Page:
    path: pathlib.Path
    text: str
    blocks: list = field(default_factory=list)
    headings: list = field(default_factory=list)
    links: list = field(default_factory=list)  # (line, target)
    prose: list = field(default_factory=list)  # (line, text), without blocks

    def commands(self):
        return [each for block in self.blocks for each in block.commands]


def shown(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name


def all_pages():
    pages = sorted(ROOT.glob("*.md"))
    for folder in FOLDERS:
        pages += sorted(each for each in (ROOT / folder).rglob("*.md") if not each.is_symlink())
    return pages


def read_mark(text, where):
    found = KINDS.fullmatch(text)
    if not found:
        raise Wrong(f"{where}: no mark \"{text}\"; see tests/tools/docs/pages.py")
    words = [each for each in found.groups() if each]
    return Mark(words[0], words[1] if len(words) > 1 else "")


def slug(heading):
    """The anchor that hosts of Git repositories give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


class Reader:
    def __init__(self, path):
        self.page = Page(path, path.read_text())
        self.name = shown(path)
        self.marks_for = []  # (beginning of commands, mark)

    def where(self, line):
        return f"{self.name}:{line}"

    def read(self):
        self._read_marks_for_commands()
        self._read_blocks()
        self._read_prose()
        self.page.blocks.sort(key=lambda block: block.line)
        for block in self.page.blocks:
            for command in block.commands:
                command.mark = self._mark_of(command, block.mark)
        return self.page

    def _read_marks_for_commands(self):
        for number, line in enumerate(self.page.text.splitlines(), 1):
            for beginning, text in MARK_FOR.findall(line):
                self.marks_for.append((beginning, read_mark(text, self.where(number)), number))
        for beginning, _, number in self.marks_for:
            if beginning not in COMMENT.sub("", self.page.text):
                raise Wrong(f"{self.where(number)}: nothing here begins with \"{beginning}\"")

    def _mark_of(self, command, of_block):
        for beginning, mark, _ in self.marks_for:
            if re.match(re.escape(beginning) + r"(?!\S)", command.text.strip()):
                return mark
        return of_block

    def _read_blocks(self):
        lines = self.page.text.splitlines()
        pending, number, in_list, in_comment = None, 0, False, False
        while number < len(lines):
            line = lines[number]
            number += 1
            stripped = line.strip()
            only = MARK.fullmatch(stripped)
            if only:
                pending = (read_mark(only[1], self.where(number)), number)
                continue
            fence = re.match(r"( *)(```+)(.*)$", line)
            if fence:
                end = next((i for i in range(number, len(lines))
                            if lines[i].strip() == fence[2]), None)
                if end is None:
                    raise Wrong(f"{self.where(number)}: the block has no end")
                self._add_block(number, fence[3].strip(), lines[number:end], pending)
                pending, number = None, end + 1
                continue
            if line.startswith("    ") and not in_list and not in_comment:
                end = number
                while end < len(lines) and (lines[end].startswith("    ") or
                                            (not lines[end] and end + 1 < len(lines) and
                                             lines[end + 1].startswith("    "))):
                    end += 1
                self._add_block(number, "sh", lines[number - 1:end], pending)
                pending, number = None, end
                continue
            if stripped:
                if pending:
                    raise Wrong(f"{self.where(pending[1])}: no block follows this mark")
                in_list = bool(re.match(r"\s*([*-]|\d+\.) ", line)) or (in_list and line[0] == " ")
            in_comment = in_comment and "-->" not in line or \
                "<!--" in line and "-->" not in line
            self.page.prose.append((number, line))
        if pending:
            raise Wrong(f"{self.where(pending[1])}: no block follows this mark")

    def _add_block(self, number, language, lines, pending):
        if language not in FENCES:
            raise Wrong(f"{self.where(number)}: a block of \"{language}\"; known are "
                        f"{', '.join(sorted(FENCES))}")
        indent = min((len(each) - len(each.lstrip()) for each in lines if each.strip()), default=0)
        text = "\n".join(each[indent:] for each in lines)
        block = Block(number, language, text, pending[0] if pending else None)
        is_data = block.mark and block.mark.kind in ("file", "output")
        if language == "sh" and not is_data:
            block.commands = shell_commands(number, text)
        elif language == "yaml":
            for offset, each in enumerate(text.splitlines()):
                found = YAML_COMMAND.match(each)
                if found:
                    command = re.sub(r"\s+#.*", "", found[1])
                    block.commands.append(Command(number + 1 + offset, command))
        elif block.mark and not is_data:
            raise Wrong(f"{self.where(number)}: a mark \"{block.mark.kind}\" without a command")
        self.page.blocks.append(block)

    def _read_prose(self):
        text = "".join(f"{line}\n" for _, line in self.page.prose)
        numbers = [number for number, _ in self.page.prose]
        number_at = lambda at: numbers[text.count("\n", 0, at)]
        bare = SPAN.sub(lambda span: re.sub(r"[^\n]", " ", span[0]), text)
        for heading in re.finditer(r"^#{1,6} (.*)$", text, re.M):
            self.page.headings.append(heading[1])
        for link in re.finditer(r"\[[^\]]*\]\(([^)\s]+)\)", bare):
            self.page.links.append((number_at(link.start()), link[1]))
        visible = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)
        for span in SPAN.finditer(visible):
            words = " ".join(span[2].split())
            if not COMMAND.match(words):
                continue
            number = number_at(span.start())
            block = Block(number, "sh", words)
            behind = re.match(r"\s*" + MARK.pattern, text[span.end():])
            if behind:
                block.mark = read_mark(behind[1], self.where(number))
            block.commands = [Command(number, words, inline=True)]
            self.page.blocks.append(block)


def shell_commands(number, text):
    """One for each line that is not empty, with those that it goes on in."""
    commands, goes_on = [], False
    for offset, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if goes_on:
            commands[-1].text += "\n" + line
        elif words and not words.startswith("#"):
            commands.append(Command(number + offset, line))
        goes_on = line.endswith("\\") and bool(commands)
    return commands


def read_page(path):
    return Reader(path).read()
