#include "tools/catalog/library_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/scenarios.hpp"
#include "tests/support/scratch.hpp"
#include "tools/cli/checked_marks.hpp"

namespace vgsim::cli {
namespace library_files_test {

namespace fs = std::filesystem;

const std::string kConfigs = std::string(VGSIM_SOURCE_DIR) + "/configs";

TEST(LibraryFiles, TheBuildHasCheckedWhatShips) {
  std::size_t files = 0;
  const auto expect_marked = [&files](const std::string& place, const std::string& text) {
    ++files;
    EXPECT_TRUE(checked_marks().contains(catalog::checked_mark(place, text))) << place;
    return false;
  };
  ASSERT_TRUE(catalog::load_library_files(kConfigs, expect_marked));
  EXPECT_EQ(files, checked_marks().size());
}

TEST(LibraryFiles, TheLibraryThatShipsIsReadAsTheBuildHasCheckedIt) {
  const auto unchecked = [](const std::string&, const std::string&) { return false; };
  const auto all = scenario::read_library(catalog::load_library_files(kConfigs, unchecked).value());
  ASSERT_TRUE(all) << input::render(all.error());
  const auto& checked = *test::library().catalog;
  const auto expect_same = [](const auto& here, const auto& there) {
    ASSERT_GT(there.size(), 0U);
    ASSERT_EQ(here.size(), there.size());
    for (const auto& [name, part] : there) EXPECT_TRUE(here.at(name) == part) << name;
  };
  expect_same(checked.gpus, all->catalog->gpus);
  expect_same(checked.nics, all->catalog->nics);
  expect_same(checked.cpus, all->catalog->cpus);
  expect_same(checked.switches, all->catalog->switches);
  expect_same(checked.pcie, all->catalog->pcie);
  expect_same(checked.nvlinks, all->catalog->nvlinks);
  expect_same(checked.nvswitches, all->catalog->nvswitches);
  expect_same(checked.boards, all->catalog->boards);
  expect_same(checked.servers, all->catalog->servers);
  expect_same(checked.datasets, all->catalog->datasets);
  EXPECT_EQ(checked.names, all->catalog->names);
  for (const auto& [kind, document] : all->catalog->documents) {
    EXPECT_EQ(to_canonical_string(checked.documents.at(kind)), to_canonical_string(document));
  }
}

/// A copy of the configurations for changes.
class Copy {
 public:
  Copy() {
    for (const char* folder : {"catalog", "nccl", "networks", "parameters", "vsphere"}) {
      fs::copy(fs::path(kConfigs) / folder, scratch_.file(folder));
    }
  }

  /// Replaces a text that occurs once in a file.
  void change(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = test::read_file(scratch_.file(file));
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    scratch_.write(file, text);
  }

  std::string errors() const {
    const auto library = load_library(scratch_.file(""));
    return library ? std::string() : input::render(library.error());
  }

  test::Scratch scratch_;
};

TEST(LibraryFiles, ACopyIsAsGood) { EXPECT_EQ(Copy().errors(), ""); }

TEST(LibraryFiles, AChangedFileIsCheckedAllOfIt) {
  Copy copy;
  copy.change("catalog/servers.json", "\"sockets\"", "\"socket\"");
  copy.change("catalog/gpus.json", "\"compute_capability\"", "\"capability\"");
  copy.change("vsphere/rules.json", "\"remedy\"", "\"remedies\"");
  copy.change("parameters/links.json", "\"meaning\"", "\"meanings\"");
  copy.change("nccl/releases.json", "\"since\"", "\"sinse\"");
  const std::string errors = copy.errors();
  for (const char* key : {"socket", "capability", "remedies", "meanings", "sinse"}) {
    const std::string told = "unknown key \"" + std::string(key) + '"';
    EXPECT_NE(errors.find(told), std::string::npos) << key << '\n' << errors;
  }
}

/// Keys are numbers of slices; each invalid one is reported, without further errors.
TEST(LibraryFiles, NumbersOfSlicesAreOneToNine) {
  for (const char* key : {"0", "10", "two", "", "99999999999999999999"}) {
    Copy copy;
    copy.change("vsphere/profiles.json", "\"by_slices\": {\"1\"",
                ("\"by_slices\": {\"" + std::string(key) + "\"").c_str());
    const std::string errors = copy.errors();
    EXPECT_NE(errors.find("unknown key \"" + std::string(key) + '"'), std::string::npos) << errors;
    EXPECT_NE(errors.find("1, 2, 3, 4, 5, 6, 7, 8, 9"), std::string::npos) << errors;
  }
}

TEST(LibraryFiles, WhatAnotherFileNamesIsLookedForWhereOneHasChanged) {
  Copy copy;
  copy.change("catalog/cpus.json", "\"intel-ice-lake-sp\": {", "\"intel-ice-lake\": {");
  EXPECT_NE(copy.errors().find("names an unknown part \"intel-ice-lake-sp\""), std::string::npos)
      << copy.errors();
}

TEST(LibraryFiles, AFileInThePlaceOfAnotherIsNoCheckedOne) {
  Copy copy;
  fs::copy_file(copy.scratch_.file("vsphere/rules.json"),
                copy.scratch_.file("vsphere/profiles.json"), fs::copy_options::overwrite_existing);
  EXPECT_NE(copy.errors().find("vgsim.vsphere-profiles/1"), std::string::npos) << copy.errors();
}

TEST(LibraryFiles, OnlyTheKindsThatAreMissingAreMissed) {
  Copy copy;
  fs::remove(copy.scratch_.file("catalog/datasets.json"));
  EXPECT_NE(copy.errors().find("no file of kind \"datasets\""), std::string::npos) << copy.errors();
}

}  // namespace library_files_test
}  // namespace vgsim::cli
