#include "topology/input/load_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace vgsim::input {
namespace load_source_test {

using ::testing::HasSubstr;

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::path(::testing::TempDir()) / ("vgsim_load_source_" + name);
}

TEST(LoadSource, ReturnsTheBytesAsTheyAre) {
  const auto path = scratch("bytes");
  const std::string bytes("{\r\n\0\xFF}", 6);
  std::ofstream(path, std::ios::binary) << bytes;
  const auto source = load_source(path.string());
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ((*source)->text, bytes);
  EXPECT_EQ((*source)->path, path.string());
}

TEST(LoadSource, AnEmptyFileIsNoError) {
  const auto path = scratch("empty");
  std::ofstream(path, std::ios::binary).flush();
  ASSERT_TRUE(load_source(path.string()).has_value());
}

TEST(LoadSource, SaysWhyAFileCannotBeRead) {
  const auto missing = load_source("/nowhere/at/all.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().items().at(0).code, "E111");
  EXPECT_THAT(missing.error().items().at(0).message, HasSubstr("No such file"));
  const auto folder = load_source(::testing::TempDir());
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
