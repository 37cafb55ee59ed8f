#include "topology/input/load_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch.hpp"

namespace vgsim::input {
namespace load_source_test {

using ::testing::HasSubstr;

TEST(LoadSource, ReturnsTheBytesAsTheyAre) {
  const test::Scratch scratch;
  const std::string bytes("{\r\n\0\xFF}", 6);
  const std::string path = scratch.write("bytes", bytes);
  const auto source = load_source(path);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ((*source)->text, bytes);
  EXPECT_EQ((*source)->path, path);
}

TEST(LoadSource, AnEmptyFileIsNoError) {
  const test::Scratch scratch;
  ASSERT_TRUE(load_source(scratch.write("empty", "")).has_value());
}

TEST(LoadSource, SaysWhyAFileCannotBeRead) {
  const auto missing = load_source("/nowhere/at/all.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().items().at(0).code, "E111");
  EXPECT_THAT(missing.error().items().at(0).message, HasSubstr("No such file"));
  const test::Scratch scratch;
  const auto folder = load_source(scratch.file(""));
  ASSERT_FALSE(folder.has_value());
  EXPECT_THAT(folder.error().items().at(0).message, HasSubstr("is a directory"));
}

TEST(LoadSource, AnEndlessFileEndsInAnError) {
  const auto endless = load_source("/dev/zero");
  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().items().at(0).code, "E107");
}

}  // namespace load_source_test
}  // namespace vgsim::input
