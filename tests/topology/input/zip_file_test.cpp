#include "topology/input/zip_file.hpp"

#include <gtest/gtest.h>

namespace vgsim::input {
namespace zip_file_test {

TEST(ZipFile, UnpacksWhatWasPacked) {
  const std::string large(3'000'000, 'x');
  const std::string bytes = zipped({{"a.xml", "<a/>"}, {"b/c.txt", large}, {"empty", ""}});
  EXPECT_LT(bytes.size(), 10'000U);
  EXPECT_EQ(bytes, zipped({{"a.xml", "<a/>"}, {"b/c.txt", large}, {"empty", ""}}));
  const ZipReader zip(bytes);
  ASSERT_TRUE(zip.good());
  EXPECT_EQ(zip.read("a.xml", 100), "<a/>");
  EXPECT_EQ(zip.read("B/C.TXT", large.size()), large);
  EXPECT_EQ(zip.read("empty", 100), "");
  EXPECT_EQ(zip.read("none", 100).error(), "missing");
}

TEST(ZipFile, UnpacksAtMostTheRequestedBytes) {
  const std::string bytes = zipped({{"a", std::string(1'000'000, 'x')}});
  EXPECT_EQ(ZipReader(bytes).read("a", 10)->size(), 11U);
}

TEST(ZipFile, DamageIsFound) {
  EXPECT_FALSE(ZipReader("").good());
  EXPECT_FALSE(ZipReader("PK\x03\x04").good());
  std::string bytes = zipped({{"a.txt", "some text that is packed, and then one bit of it flips"}});
  bytes[60] = static_cast<char>(bytes[60] ^ 1);
  const ZipReader zip(bytes);
  ASSERT_TRUE(zip.good());
  EXPECT_EQ(zip.read("a.txt", 100).error(), "damaged");
}

}  // namespace zip_file_test
}  // namespace vgsim::input
