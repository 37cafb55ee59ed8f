#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {
namespace shape_check_test {

using namespace vgsim::literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Shape link_shape() {
  return object_shape({field("kind", enum_shape({"nvlink4", "pcie5"})).required(),
                       field("bandwidth", rate_shape()).aliases({"bw", "speed"}),
                       field("width", count_shape(1, 16))});
}

/// The one thing wrong with a value.
Diagnostic only_error(const Shape& shape, const std::string& text) {
  const auto errors = check_errors(shape, text);
  EXPECT_EQ(errors.size(), 1u) << text;
  return errors.empty() ? Diagnostic() : errors.front();
}

TEST(CheckCount, AcceptsWholeNumbersWithinTheLimits) {
  const Shape count = count_shape(1, 16);
  for (const char* text : {"1", "16", "4.0", "1e1"}) {
    EXPECT_TRUE(check_errors(count, text).empty()) << text;
  }
}

TEST(CheckCount, RefusesOtherValuesWithAReason) {
  const Shape count = count_shape(0, 4096);
  EXPECT_EQ(only_error(count, "3.7").message, "3.7 is not a whole number");
  EXPECT_EQ(only_error(count, "-1").message, "-1 is too small");
  EXPECT_EQ(only_error(count, "1099511627776").message, "1099511627776 is too large");
  EXPECT_EQ(only_error(count, "18446744073709551616").message, "18446744073709551616 is too large");
  EXPECT_EQ(only_error(count, "-1e300").message, "-1e300 is too small");
  EXPECT_EQ(only_error(count, "true").message, "found true");
  EXPECT_EQ(only_error(count, "null").message, "found null");
  EXPECT_EQ(only_error(count, "[]").message, "found an array");
  EXPECT_EQ(only_error(count, "\"4\"").message, "found the text \"4\"");
  EXPECT_EQ(only_error(count, "\"4\"").expected,
            "a whole number from 0 to 4096, written without quotes");
  EXPECT_EQ(only_error(count, "3.7").code, "E205");
  EXPECT_EQ(only_error(count, "-1").code, "E204");
  EXPECT_EQ(only_error(count, "true").code, "E203");
}

TEST(CheckCount, WithoutLimitsTakesAll64Bits) {
  EXPECT_TRUE(check_errors(count_shape(), "9223372036854775807").empty());
  EXPECT_EQ(only_error(count_shape(), "9223372036854775808").code, "E204");
  EXPECT_EQ(only_error(count_shape(), "-1").expected, "a whole number of at least 0");
}

TEST(CheckNumber, LimitsAreIncluded) {
  const Shape share = number_shape(0, 1);
  for (const char* text : {"0", "1", "0.86"}) EXPECT_TRUE(check_errors(share, text).empty());
  EXPECT_EQ(only_error(share, "1.01").message, "1.01 is too large");
  EXPECT_EQ(only_error(share, "-0.5").expected, "a number from 0 to 1");
  EXPECT_EQ(only_error(share, "\"0.5\"").expected, "a number from 0 to 1, written without quotes");
}

TEST(CheckText, WordsBooleansAndPatterns) {
  const Shape word = enum_shape({"ring", "tree"});
  EXPECT_TRUE(check_errors(word, "\"ring\"").empty());
  const Diagnostic unknown = only_error(word, "\"rign\"");
  EXPECT_EQ(unknown.code, "E206");
  EXPECT_EQ(unknown.expected, "one of: \"ring\", \"tree\"");
  EXPECT_THAT(unknown.suggestions, ElementsAre("ring"));
  EXPECT_THAT(only_error(word, "\"RING\"").suggestions, ElementsAre("ring"));
  EXPECT_EQ(only_error(word, "3").code, "E203");
  EXPECT_TRUE(check_errors(boolean_shape(), "false").empty());
  EXPECT_EQ(only_error(boolean_shape(), "\"false\"").expected, "true or false");
  EXPECT_TRUE(check_errors(string_shape(), "\"\"").empty());
  EXPECT_EQ(only_error(string_shape(), "1").expected, "text");
  const Shape even = pattern_string("an even text", "^(..)*$", [](std::string_view text) {
    return text.size() % 2 == 0 ? std::nullopt : std::optional<std::string>("an even text");
  });
  EXPECT_TRUE(check_errors(even, "\"ab\"").empty());
  EXPECT_EQ(only_error(even, "\"abc\"").code, "E207");
}

TEST(CheckQuantity, UnitsAreRequiredAndOfTheRightKind) {
  EXPECT_TRUE(check_errors(rate_shape(), "\"25 Gbit/s\"").empty());
  const Diagnostic bare = only_error(rate_shape(), "25");
  EXPECT_EQ(bare.code, "E301");
  EXPECT_EQ(bare.message, "25 has no unit");
  EXPECT_THAT(bare.expected, HasSubstr("25 Gbit/s = 3125000000 B/s"));
  EXPECT_EQ(only_error(rate_shape(), "\"25\"").code, "E301");
  EXPECT_EQ(only_error(rate_shape(), "-2.5e3").code, "E301");
  EXPECT_EQ(only_error(bytes_shape(), "\"64 KB\"").code, "E302");
  EXPECT_EQ(only_error(bytes_shape(), "\"64 KB\"").message, "cannot read \"64 KB\"");
  EXPECT_EQ(only_error(time_shape(), "\"25 GB\"").code, "E302");
  EXPECT_EQ(only_error(flops_shape(), "true").code, "E203");
  EXPECT_TRUE(check_errors(flops_rate_shape(), "\"312 TFLOP/s\"").empty());
}

TEST(CheckQuantity, LimitsAreIncludedAndShownExactly) {
  const Shape latency = time_shape(1_ns, 10_s);
  EXPECT_TRUE(check_errors(latency, "\"1 ns\"").empty());
  EXPECT_TRUE(check_errors(latency, "\"10 s\"").empty());
  const Diagnostic error = only_error(latency, "\"999 ps\"");
  EXPECT_EQ(error.code, "E303");
  EXPECT_EQ(error.message, "\"999 ps\" is too small");
  EXPECT_EQ(error.expected, "a duration such as \"1.5 ms\" from 1 ns to 10 s");
  EXPECT_EQ(only_error(bytes_shape(Bytes{65536}), "\"1 B\"").expected,
            "a size such as \"25 MiB\" of at least 65536 B");
}

TEST(CheckObject, AnUnknownKeyIsReportedAtTheKeyWithTheNearestWord) {
  const Diagnostic error = only_error(link_shape(), R"({"kind": "pcie5", "bandwidht": "1 GB/s"})");
  EXPECT_EQ(error.code, "E201");
  EXPECT_EQ(marked(error.location), "\"bandwidht\"");
  EXPECT_EQ(error.pointer, "/bandwidht");
  EXPECT_EQ(error.expected, "one of: kind, bandwidth, width");
  EXPECT_THAT(error.suggestions, ElementsAre("bandwidth"));
}

TEST(CheckObject, AliasesLeadToTheRightName) {
  EXPECT_THAT(only_error(link_shape(), R"({"kind": "pcie5", "bw": 1})").suggestions,
              ElementsAre("bandwidth"));
  EXPECT_THAT(only_error(link_shape(), R"({"kind": "pcie5", "Speed": 1})").suggestions,
              ElementsAre("bandwidth"));
}

TEST(CheckObject, AMissingKeyIsReportedWhereTheObjectStarts) {
  const auto errors = check_errors(array_shape(link_shape()), R"([{"width": 1}])");
  ASSERT_EQ(codes_of(errors), Codes{"E202"});
  EXPECT_EQ(errors[0].location.offset, 1u);
  EXPECT_EQ(errors[0].location.length, 1u);
  EXPECT_EQ(errors[0].pointer, "/0");
  EXPECT_EQ(errors[0].message, "missing key \"kind\"");
  EXPECT_EQ(errors[0].expected, "\"kind\": one of: \"nvlink4\", \"pcie5\"");
}

TEST(CheckObject, AllErrorsAreFoundInOneGo) {
  const auto errors = check_errors(
      array_shape(link_shape()),
      R"([{"kind": "pci5", "bandwidth": 25, "width": 0}, {"kind": "pcie5", "colour": 1}, 7])");
  EXPECT_EQ(codes_of(errors), (Codes{"E206", "E301", "E204", "E201", "E203"}));
}

TEST(CheckObject, SchemaAndDescriptionAreFreeAtTheTopOnly) {
  EXPECT_TRUE(check_errors(link_shape(), R"({"$schema": "x", "description": "y", "kind": "pcie5"})")
                  .empty());
  EXPECT_EQ(only_error(link_shape(), R"({"$schema": 1, "kind": "pcie5"})").code, "E203");
  EXPECT_EQ(
      codes_of(check_errors(array_shape(link_shape()), R"([{"$schema": "x", "kind": "pcie5"}])")),
      Codes{"E201"});
}

TEST(CheckMap, KeysAndValuesAreBothChecked) {
  const Shape hosts = map_shape("host name", count_shape(0, 8), 1, 2);
  EXPECT_TRUE(check_errors(hosts, R"({"esx01": 4})").empty());
  EXPECT_EQ(only_error(hosts, "{}").code, "E204");
  EXPECT_EQ(only_error(hosts, R"({"a": 1, "b": 2, "c": 3})").expected,
            "an object of 1 to 2 entries");
  const Diagnostic key = only_error(hosts, R"({"": 1})");
  EXPECT_EQ(key.code, "E207");
  EXPECT_EQ(marked(key.location), "\"\"");
  EXPECT_EQ(only_error(hosts, R"({"a\u001b": 1})").code, "E207");
  EXPECT_EQ(only_error(hosts, R"({"a": 9})").pointer, "/a");
  const Shape modes = map_shape(enum_shape({"a", "b"}), count_shape());
  EXPECT_EQ(only_error(modes, R"({"c": 1})").code, "E206");
}

TEST(CheckArray, TheNumberOfElementsHasLimits) {
  const Shape pair = array_shape(count_shape(), 2, 2);
  EXPECT_TRUE(check_errors(pair, "[0, 1]").empty());
  EXPECT_EQ(only_error(pair, "[0]").message, "an array with 1 entries");
  EXPECT_EQ(only_error(pair, "[0, 1, 2]").expected, "an array of 2 values");
  EXPECT_EQ(only_error(pair, "{}").code, "E203");
}

TEST(CheckNullable, NullIsAllowedOnlyForNullableShapes) {
  EXPECT_TRUE(check_errors(count_shape().nullable(), "null").empty());
  EXPECT_EQ(only_error(count_shape().nullable(), "\"x\"").code, "E203");
  EXPECT_EQ(only_error(link_shape(), R"({"kind": null})").code, "E203");
}

TEST(CheckLimits, AMillionMistakesEndSoon) {
  std::string text = "[0";
  for (int i = 0; i < 300'000; ++i) text += ",\"x\"";
  Diagnostics diagnostics;
  check(parsed(text + "]"), array_shape(enum_shape({"xx", "xy"}), 0, 1'000'000), diagnostics);
  EXPECT_EQ(diagnostics.items().size(), Diagnostics::kCapacity);
}

TEST(CheckShape, ErrorsInMergedValuesNameTheFileTheyCameFrom) {
  const Value patch = *read_json(make_source("patch.json", R"({"width": 99})"));
  std::vector<Member> members = parsed(R"({"kind": "pcie5"})").members();
  members.push_back(patch.members().front());
  Diagnostics diagnostics;
  check(Value::make_object(members), link_shape(), diagnostics);
  EXPECT_THAT(render(diagnostics), HasSubstr("patch.json:1:11: error E204: 99 is too large"));
}

}  // namespace shape_check_test
}  // namespace vgsim::input
