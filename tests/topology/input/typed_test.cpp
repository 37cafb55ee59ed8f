#include "topology/input/typed.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace typed_test {

using namespace vgsim::literals;

TEST(Typed, ReadsWhatWasChecked) {
  EXPECT_EQ(as_bytes(parsed("\"25 MiB\"")), 25_MiB);
  EXPECT_EQ(as_rate(parsed("\"25 Gbit/s\"")), 25_Gbitps);
  EXPECT_EQ(as_time(parsed("\"2 us\"")), 2_us);
  EXPECT_EQ(as_flops(parsed("\"3 GFLOP\"")), 3_GFLOP);
  EXPECT_EQ(as_flops_rate(parsed("\"312 TFLOPS\"")), 312_TFLOPps);
  EXPECT_EQ(as_count(parsed("4")), 4);
  EXPECT_EQ(as_count(parsed("4.0")), 4);
  EXPECT_EQ(as_double(parsed("4")), 4.0);
  EXPECT_EQ(as_string(parsed("\"x\"")), "x");
  EXPECT_TRUE(as_bool(parsed("true")));
}

TEST(Typed, UncheckedValuesAreABug) {
  EXPECT_THROW((void)as_bytes(parsed("\"25 MB/s\"")), std::logic_error);
  EXPECT_THROW((void)as_time(parsed("25")), std::logic_error);
  EXPECT_THROW((void)as_count(parsed("3.7")), std::logic_error);
  EXPECT_THROW((void)as_count(parsed("9223372036854775808")), std::logic_error);
  EXPECT_THROW((void)as_count(parsed("\"4\"")), std::logic_error);
  EXPECT_THROW((void)as_string(parsed("4")), std::logic_error);
  EXPECT_THROW((void)as_bool(parsed("1")), std::logic_error);
  EXPECT_THROW((void)find(parsed("[]"), "a"), std::logic_error);
}

TEST(Typed, FindGivesTheMemberOrNothing) {
  const Value object = parsed(R"({"a": 1})");
  EXPECT_EQ(as_count(*find(object, "a")), 1);
  EXPECT_FALSE(find(object, "b").has_value());
}

}  // namespace typed_test
}  // namespace vgsim::input
