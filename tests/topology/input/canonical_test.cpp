#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace canonical_test {

std::string canonical(std::string text) { return to_canonical_string(parsed(std::move(text))); }

TEST(Canonical, SortsKeysAtEveryDepthAndDropsBlanks) {
  EXPECT_EQ(canonical(R"( {"b": [1, {"z": null, "a": true}], "a": "x"} )"),
            R"({"a":"x","b":[1,{"a":true,"z":null}]})");
}

TEST(Canonical, KeepsTheOrderOfArrays) { EXPECT_NE(canonical("[1,2]"), canonical("[2,1]")); }

TEST(Canonical, DistinguishesStringsFromNumbersAndEmptyFromNull) {
  EXPECT_NE(canonical("\"1\""), canonical("1"));
  EXPECT_NE(canonical("{}"), canonical("[]"));
  EXPECT_NE(canonical("\"\""), canonical("null"));
}

TEST(Canonical, EqualNumbersHaveOneText) {
  EXPECT_EQ(canonical("4.0"), "4");
  EXPECT_EQ(canonical("0.10"), canonical("1e-1"));
  EXPECT_EQ(canonical("-9223372036854775808"), "-9223372036854775808");
}

TEST(Canonical, EscapesWhatJsonMustEscape) {
  EXPECT_EQ(canonical(R"("a\"b\\c\n\u001b/é")"), R"("a\"b\\c\u000a\u001b/é")");
}

TEST(Canonical, EmptyContainersInsideOthersNeedNoComma) {
  EXPECT_EQ(canonical(R"([[],{},[[]]])"), R"([[],{},[[]]])");
}

RC_GTEST_PROP(Canonical, DoesNotDependOnTheOrderOfKeys, ()) {
  const auto names =
      *rc::gen::unique<std::vector<std::string>>(rc::gen::nonEmpty(rc::gen::string<std::string>()));
  std::vector<Member> members;
  for (const std::string& name : names) {
    members.push_back({name, {}, Value::make_integer(static_cast<std::int64_t>(members.size()))});
  }
  auto reversed = members;
  std::reverse(reversed.begin(), reversed.end());
  RC_ASSERT(to_canonical_string(Value::make_object(members)) ==
            to_canonical_string(Value::make_object(reversed)));
}

RC_GTEST_PROP(Canonical, ReadsBackAsTheSameNumber, (double number)) {
  const Value read = parsed(to_canonical_string(Value::make_number(number)));
  RC_ASSERT(read.number() == number);
}

}  // namespace canonical_test
}  // namespace vgsim::input
