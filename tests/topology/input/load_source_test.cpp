#include "topology/input/load_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <utility>

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

TEST(LoadSource, AnEmptyFileIsNotAnError) {
  const test::Scratch scratch;
  ASSERT_TRUE(load_source(scratch.write("empty", "")).has_value());
}

TEST(LoadSource, ReportsWhyAFileCannotBeRead) {
  const auto missing = load_source("/nowhere/at/all.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().items().at(0).code, "E111");
  EXPECT_THAT(missing.error().items().at(0).message, HasSubstr("No such file"));
  const test::Scratch scratch;
  const auto folder = load_source(scratch.file(""));
  ASSERT_FALSE(folder.has_value());
  EXPECT_THAT(folder.error().items().at(0).message, HasSubstr("is a directory"));
}

TEST(LoadSource, PipesAndDevicesAreNotRead) {
  const test::Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& [path, what] :
       {std::pair{pipe, "a pipe"}, {std::string("/dev/zero"), "a device"}}) {
    const auto refused = load_source(path);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().items().at(0).code, "E111");
    EXPECT_THAT(refused.error().items().at(0).message, HasSubstr(what));
  }
}

TEST(LoadSource, AVeryLargeFileIsAnError) {
  const test::Scratch scratch;
  const std::string file = scratch.write("large", "");
  std::filesystem::resize_file(file, kMaxFileBytes + 1);
  const auto large = load_source(file);
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().items().at(0).code, "E107");
}

}  // namespace load_source_test
}  // namespace vgsim::input
