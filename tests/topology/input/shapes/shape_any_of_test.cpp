#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {
namespace shape_any_of_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Shape ring() {
  return object_shape({field("kind", enum_shape({"ring"})).required(),
                       field("channels", count_shape(1, 32)).required()});
}
Shape tree() {
  return object_shape({field("kind", enum_shape({"tree", "double-tree"})).required(),
                       field("fanout", count_shape(2, 8))});
}

TEST(AnyOf, AcceptsEachAlternative) {
  const Shape shape = any_of_shape({count_shape(1, 8), enum_shape({"all"}), ring(), tree()});
  for (const char* text :
       {"3", "\"all\"", R"({"kind": "ring", "channels": 2})", R"({"kind": "tree"})"}) {
    EXPECT_TRUE(check_errors(shape, text).empty()) << text;
  }
}

TEST(AnyOf, TheKindOfValueSelectsTheAlternative) {
  const Shape shape = any_of_shape({count_shape(1, 8), enum_shape({"all"}), ring()});
  EXPECT_EQ(codes_of(check_errors(shape, "9")), Codes{"E204"});
  EXPECT_EQ(codes_of(check_errors(shape, "\"al\"")), Codes{"E206"});
  EXPECT_EQ(codes_of(check_errors(shape, R"({"kind": "ring", "channels": 99})")), Codes{"E204"});
}

TEST(AnyOf, AKindThatNoAlternativeHasNamesThemAll) {
  const auto errors = check_errors(any_of_shape({count_shape(1, 8), enum_shape({"all"})}), "[]");
  ASSERT_EQ(codes_of(errors), Codes{"E203"});
  EXPECT_EQ(errors[0].expected, "a whole number from 1 to 8, or \"all\"");
}

TEST(AnyOf, TheOtherAlternativesOfAScalarAreNamedToo) {
  const auto errors = check_errors(any_of_shape({count_shape(1, 8), enum_shape({"all"})}), "9");
  EXPECT_EQ(errors.at(0).expected, "a whole number from 1 to 8; or \"all\"");
}

TEST(AnyOf, ADiscriminatingKeySelectsTheAlternative) {
  const Shape shape = any_of_shape({ring(), tree()});
  const auto errors = check_errors(shape, R"({"kind": "ring", "fanout": 99, "x": 1})");
  EXPECT_EQ(codes_of(errors), (Codes{"E202", "E201", "E201"}));
  EXPECT_EQ(codes_of(check_errors(shape, R"({"kind": "tree", "fanout": 99})")), Codes{"E204"});
}

TEST(AnyOf, AnUnknownDiscriminatorListsTheWordsOfAllAlternatives) {
  const auto errors = check_errors(any_of_shape({ring(), tree()}), R"({"kind": "tre"})");
  ASSERT_EQ(codes_of(errors), Codes{"E206"});
  EXPECT_EQ(errors[0].expected, R"(one of: "ring", "tree", "double-tree")");
  EXPECT_THAT(errors[0].suggestions, ElementsAre("tree"));
  const auto missing = check_errors(any_of_shape({ring(), tree()}), R"({"fanout": 3})");
  ASSERT_EQ(codes_of(missing), Codes{"E202"});
  EXPECT_THAT(missing[0].expected, HasSubstr("\"double-tree\""));
}

TEST(AnyOf, WithoutDiscriminatorTheFewestErrorsCount) {
  const Shape a = object_shape({field("x", count_shape()).required(), field("y", count_shape())});
  const Shape b = object_shape({field("z", count_shape()).required()});
  const auto errors = check_errors(any_of_shape({b, a}), R"({"x": 1, "y": -1})");
  ASSERT_EQ(codes_of(errors), Codes{"E204"});
  EXPECT_EQ(errors[0].pointer, "/y");
}

TEST(AnyOf, ABareNumberWhereAQuantityFitsLacksItsUnit) {
  const Shape shape = any_of_shape({bytes_shape(), enum_shape({"all"})});
  EXPECT_EQ(codes_of(check_errors(shape, "64")), Codes{"E301"});
}

TEST(AnyOf, TextThatStartsWithADigitIsTakenForAQuantity) {
  const Shape shape = any_of_shape({enum_shape({"all"}), bytes_shape()});
  const auto errors = check_errors(shape, "\"64 KB\"");
  ASSERT_EQ(codes_of(errors), Codes{"E302"});
  EXPECT_THAT(errors[0].expected, HasSubstr("64 KiB = 65536 B"));
}

TEST(AnyOf, NullFitsIfAnAlternativeAllowsIt) {
  EXPECT_TRUE(check_errors(any_of_shape({count_shape().nullable(), ring()}), "null").empty());
  EXPECT_TRUE(check_errors(any_of_shape({count_shape(), ring()}).nullable(), "null").empty());
  EXPECT_FALSE(check_errors(any_of_shape({count_shape(), ring()}), "null").empty());
}

TEST(AnyOf, AlternativesMayNest) {
  const Shape shape = any_of_shape({any_of_shape({count_shape(1, 4), ring()}), string_shape()});
  EXPECT_TRUE(check_errors(shape, R"({"kind": "ring", "channels": 1})").empty());
  EXPECT_TRUE(check_errors(shape, "\"x\"").empty());
  EXPECT_EQ(codes_of(check_errors(shape, "5")), Codes{"E204"});
}

}  // namespace shape_any_of_test
}  // namespace vgsim::input
