#!/usr/bin/python3
"""What `cmake --install` and cpack make works where nothing else of vgsim is: moved to another
folder, started from another one, with an empty environment and with the source and build trees
hidden where this machine lets a test mount something.

usage: install_test.py PROGRAM BUILD SOURCE
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "survival"))
import private_mounts

MEGABYTE = 10**6
MOST_BYTES = 40 * MEGABYTE  # of a package
# What every Debian and Ubuntu has: the C library, and udev, which apt needs.
SHARED = {"libc.so.6", "libm.so.6", "libudev.so.1"}
PAGES = {
    "share/man/man1/vgsim.1.gz": ["man"],
    "share/bash-completion/completions/vgsim": ["completion", "bash"],
    "share/zsh/site-functions/_vgsim": ["completion", "zsh"],
    "share/fish/vendor_completions.d/vgsim.fish": ["completion", "fish"],
}
PAGES_OF_DEBIAN = {**PAGES, "share/zsh/vendor-completions/_vgsim": ["completion", "zsh"]}
del PAGES_OF_DEBIAN["share/zsh/site-functions/_vgsim"]


def call(*command, **how):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300, **how)


def done(*command, **how):
    ran = call(*command, **how)
    assert ran.returncode == 0, f"{command}: {ran.returncode}: {ran.stdout}{ran.stderr}"
    return ran.stdout


class Installed:
    """A tree with bin/ and share/, and an empty folder that its program is started from."""

    def __init__(self, root, folder):
        self.root = root
        self.program = root / "bin/vgsim"
        self.configs = root / "share/vgsim/configs"
        self.scenarios = self.configs / "scenarios"
        self.folder = folder
        folder.mkdir()

    def call(self, *arguments, environment=None):
        return call(self.program, *arguments, cwd=self.folder, env=environment or {})

    def done(self, *arguments):
        return done(self.program, *arguments, cwd=self.folder, env={})

    def check_commands(self):
        """run, report, import and check, on shipped scenarios and on one of the working folder."""
        shipped = self.scenarios / "ring-25gbe.json"
        text = shipped.read_text()
        name = json.loads(text)["name"]
        (self.folder / "own.json").write_text(text)
        said = self.done("run", shipped)
        assert name in said and self.done("run", "own.json") == said, said
        assert self.done("run", shipped.stem) == said
        for scenario in (shipped, "own.json"):
            self.done("report", scenario, "-o", "report.html")
            page = (self.folder / "report.html").read_text()
            assert page.startswith("<!DOCTYPE html>") and name in page, page[:200]
        self.done("import", self.scenarios / "dumps/dgx-a100-class.xml", "-o", "host.json")
        assert "a100-sxm4-40gb" in self.done("show", "host.json")
        self.done("check", self.scenarios / "bert-large-4xr750xa.json", "--baseline",
                  self.scenarios / "baselines")
        self.done("check", "own.json")

    def check_pages(self, pages):
        for file, command in pages.items():
            page = (self.root / file).read_bytes()
            if file.endswith(".gz"):
                page = gzip.decompress(page)
            assert page.decode() == self.done(*command), file

    def check_needs_its_own_data_alone(self):
        """Without them it names the folder; VGSIM_CONFIGS names another one."""
        elsewhere = self.folder / "elsewhere"
        self.configs.rename(elsewhere)
        refused = self.call("run", "own.json")
        assert refused.returncode == 2 and str(self.configs) in refused.stderr, refused.stderr
        environment = {"VGSIM_CONFIGS": str(elsewhere)}
        assert self.call("run", "own.json", environment=environment).returncode == 0
        elsewhere.rename(self.configs)

    def check_names_no_folder(self, *folders):
        for file in self.root.rglob("*"):
            content = file.read_bytes() if file.is_file() else b""
            for folder in folders:
                assert bytes(folder) not in content, f"{file} names {folder}"

    def check_policy_of_debian(self):
        """What its package manager and its readers look for in a package."""
        about = self.root / "share/doc/vgsim"
        license_text = (about / "copyright").read_text()
        assert license_text.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright"), license_text[:100]
        newest = gzip.decompress((about / "changelog.gz").read_bytes()).decode().splitlines()[0]
        version = self.done("--version").split()[1]
        assert newest.startswith(f"vgsim ({version}) "), f"{newest} of {version}"

    def check_shared_libraries(self):
        headers = done("objdump", "-p", self.program).splitlines()
        needed = {line.split()[1] for line in headers if line.split()[:1] == ["NEEDED"]}
        loader = {each for each in needed if each.startswith("ld-linux")}
        assert needed - loader <= SHARED, f"needs {needed}"
        assert not [line for line in headers if "RPATH" in line or "RUNPATH" in line], headers

    def check_licences(self, source):
        """Of each library that building takes, and of the compiler's."""
        there = {each.name for each in (self.root / "share/doc/vgsim/licences").iterdir()}
        listed = (source / "tools/packages/run.txt").read_text().splitlines()
        wanted = {line.split()[0] for line in listed if line.split()[0].endswith("-dev")}
        assert wanted <= there, f"no licence of {wanted - there}"
        assert [each for each in there if each.startswith("gcc-")], there


def packages(build, folder):
    """The .deb and the .tar.gz, unpacked, neither of them large."""
    done("cpack", "--config", build / "CPackConfig.cmake", "-B", folder / "packages")
    made = [*(folder / "packages").glob("vgsim*.*")]
    assert len(made) == 2, made
    for package in made:
        size = package.stat().st_size
        assert size < MOST_BYTES, f"{package.name} has {size} bytes"
        print(f"{package.name}: {size / MEGABYTE:.1f} MB")
        target = folder / package.suffix[1:]
        target.mkdir()
        if package.suffix == ".deb":
            done("dpkg-deb", "-x", package, target)
            description = done("dpkg-deb", "-f", package, "Description").splitlines()
            assert len(description) > 3, f"no extended description: {description}"
            yield Installed(target / "usr", folder / "beside-deb"), PAGES_OF_DEBIAN
        else:
            done("tar", "-xf", package, "-C", target, "--strip-components=1")
            yield Installed(target, folder / "beside-tar"), PAGES


def hide(folders):
    """Hides their content by mounts, if mounting is allowed."""
    try:
        private_mounts.enter()
    except private_mounts.Unavailable as why:
        print(f"source and build trees stay visible: {why}")
        return
    for folder in folders:
        done("mount", "-t", "tmpfs", "tmpfs", folder)
        assert not [*folder.iterdir()], folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    arguments = parser.parse_args()
    version = done(arguments.program, "--version")
    with tempfile.TemporaryDirectory(prefix="vgsim-install-") as name:
        folder = pathlib.Path(name)
        done("cmake", "--install", arguments.build, "--prefix", folder / "first", "--strip")
        (folder / "first").rename(folder / "moved")
        trees = [(Installed(folder / "moved", folder / "beside"), PAGES)]
        trees += packages(arguments.build, folder)
        trees[0][0].check_licences(arguments.source)
        hide([each for each in (arguments.build, arguments.source) if each.exists()])
        for tree, pages in trees:
            assert tree.done("--version") == version
            tree.check_names_no_folder(arguments.source, arguments.build)
            tree.check_shared_libraries()
            tree.check_commands()
            tree.check_pages(pages)
            if pages is PAGES_OF_DEBIAN:
                tree.check_policy_of_debian()
            tree.check_needs_its_own_data_alone()
        print(f"{version.strip()}: installed, from the .deb and from the .tar.gz it works alone")
    return 0


if __name__ == "__main__":
    sys.exit(main())
