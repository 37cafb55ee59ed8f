#include "topology/input/error_codes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace vgsim::input {
namespace error_codes_test {

TEST(ErrorCodes, AreSortedUniqueAndExplained) {
  const auto all = error_codes();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const ErrorCode& a, const ErrorCode& b) {
    return a.code <= b.code;
  }));
  for (const ErrorCode& code : all) {
    EXPECT_EQ(code.code.size(), 4u) << code.code;
    EXPECT_EQ(code.code[0], 'E') << code.code;
    EXPECT_GT(code.meaning.size(), 10u) << code.code;
  }
}

}  // namespace error_codes_test
}  // namespace vgsim::input
