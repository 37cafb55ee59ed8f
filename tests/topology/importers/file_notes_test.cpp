#include "topology/importers/file_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace file_notes_test {

using ::testing::ElementsAre;

TEST(DumpWords, ArePrintableAndShort) {
  EXPECT_EQ(printable("  NVIDIA H200\t\r\n"), "NVIDIA H200");
  EXPECT_EQ(printable(std::string("a\0b\x1b\xc3\xa9", 6)), "a?b???");
  EXPECT_EQ(printable(std::string(300, 'x')).size(), 255u);
  EXPECT_EQ(printable(" \t "), "");
}

TEST(DumpWords, NameAFew) {
  EXPECT_EQ(few_of({"a"}), "a");
  EXPECT_EQ(few_of({"a", "b", "c", "d", "e"}), "a, b, c, d, e");
  EXPECT_EQ(few_of({"a", "b", "c", "d", "e", "f", "g"}), "a, b, c, d, e and 2 more");
}

TEST(DumpWords, AreFoundInAnyCase) {
  EXPECT_TRUE(mentions("Mellanox ConnectX-7", "connectx"));
  EXPECT_FALSE(mentions("Mellanox", "connectx"));
  EXPECT_FALSE(mentions("", "connectx"));
}

TEST(FileNotes, MergeEqualSentencesAboutManyDevices) {
  FileNotes notes(input::make_source("dump.txt", "text"));
  notes.skip("left out", "a");
  notes.skip("something else");
  notes.skip("left out", "b");
  notes.assume("guessed", "c");
  notes.warn(import_codes::kOddValue, notes.at(1), "odd", "d");
  notes.warn(import_codes::kOddValue, notes.at(3), "odd", "e");
  inventory::Inventory host;
  notes.tell(host);
  EXPECT_THAT(host.skipped, ElementsAre("left out: a, b", "something else"));
  EXPECT_THAT(host.assumed, ElementsAre("guessed: c"));
  ASSERT_EQ(host.warnings.items().size(), 1u);
  EXPECT_EQ(host.warnings.items().front().message, "odd: d, e");
  EXPECT_EQ(host.warnings.items().front().location.offset, 1u);
}

TEST(FileNotes, NameTheFile) {
  const FileNotes notes(input::make_source("dump.txt", "text"));
  EXPECT_EQ(notes.stated(7).source, "dump.txt");
}

}  // namespace file_notes_test
}  // namespace vgsim::topology
