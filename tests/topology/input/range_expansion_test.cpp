#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"
#include "topology/input/merge_patch.hpp"

namespace vgsim::input {
namespace range_expansion_test {

using ::testing::HasSubstr;

/// The expansion, which must succeed, as canonical text.
std::string expanded(std::string text) {
  Diagnostics diagnostics;
  const Value value = expand_object_ranges(parsed(std::move(text)), diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  return to_canonical_string(value);
}

std::vector<Diagnostic> expansion_errors(std::string text) {
  Diagnostics diagnostics;
  (void)expand_object_ranges(parsed(std::move(text)), diagnostics);
  return diagnostics.items();
}

TEST(RangeExpansion, ARangedKeyBecomesOneMemberForEachName) {
  EXPECT_EQ(expanded(R"({"esx[01-02]": {"gpus": 4}, "esx03": 1})"),
            R"({"esx01":{"gpus":4},"esx02":{"gpus":4},"esx03":1})");
}

TEST(RangeExpansion, RangesInsideAreExpandedWithTheKey) {
  EXPECT_EQ(expanded(R"({"vm[1-2]": {"host": "esx[08-09]", "on": ["d[5,7]", "x"], "n": 3}})"),
            R"({"vm1":{"host":"esx08","n":3,"on":["d5","x"]},)"
            R"("vm2":{"host":"esx09","n":3,"on":["d7","x"]}})");
}

TEST(RangeExpansion, ASingleNameInBracketsFitsAnyKey) {
  EXPECT_EQ(expanded(R"({"vm[1-2]": "esx[07]"})"), R"({"vm1":"esx07","vm2":"esx07"})");
}

TEST(RangeExpansion, StringsOfNestedRangedKeysBelongToTheInnerKey) {
  EXPECT_EQ(expanded(R"({"h[1-3]": {"nic[0-1]": {"near": "gpu[0-1]"}}})"),
            R"({"h1":{"nic[0-1]":{"near":"gpu[0-1]"}},"h2":{"nic[0-1]":{"near":"gpu[0-1]"}},)"
            R"("h3":{"nic[0-1]":{"near":"gpu[0-1]"}}})");
}

TEST(RangeExpansion, StringsUnderPlainKeysAreUnchanged) {
  EXPECT_EQ(expanded(R"({"job": {"vms": "train[01-04]"}})"), R"({"job":{"vms":"train[01-04]"}})");
}

TEST(RangeExpansion, AValueThatIsNotAnObjectIsUnchanged) {
  EXPECT_EQ(expanded(R"(["a[1-2]"])"), R"(["a[1-2]"])");
}

TEST(RangeExpansion, TheOriginIsTheRangedKeyInTheFile) {
  Diagnostics diagnostics;
  const Value value =
      expand_object_ranges(parsed(R"({"esx[1-2]": {"host": "h[1-2]"}})"), diagnostics);
  const Member& second = value.members().at(1);
  EXPECT_EQ(second.name, "esx2");
  EXPECT_EQ(marked(second.key), "\"esx[1-2]\"");
  EXPECT_EQ(second.value.member("host")->value.pointer(), "/esx[1-2]/host");
}

TEST(RangeExpansion, EntriesOfOneRangeShareValuesWithoutRanges) {
  Diagnostics diagnostics;
  const Value value = expand_object_ranges(
      parsed(R"({"vm[1-2]": {"host": "h[1-2]", "n": {"a": 1}}, "vm3": {"host": "h3", "n": {"a": 1}},
                 "vm[4-5]": {"host": "h[4-5]"}, "vm[6-7]": {"n": 1}})"),
      diagnostics);
  const auto differ = [&](std::size_t a, std::size_t b) {
    return members_not_shared(value.members().at(a).value, value.members().at(b).value);
  };
  ASSERT_TRUE(differ(0, 1));
  ASSERT_EQ(differ(0, 1)->size(), 1U);
  EXPECT_EQ(differ(0, 1)->front(), value.members().at(1).value.member("host"));
  EXPECT_FALSE(differ(1, 2)) << "equal, but written elsewhere";
  EXPECT_FALSE(differ(3, 4)) << "nothing is shared";
  ASSERT_TRUE(differ(5, 6));
  EXPECT_TRUE(differ(5, 6)->empty());
  EXPECT_FALSE(differ(1, 3)) << "other keys";
}

TEST(RangeExpansion, RangesOfDifferentLengthAreAnErrorAtTheString) {
  const auto errors = expansion_errors(R"({"vm[1-4]": {"host": "esx[1-3]", "b": "c[1-2]"}})");
  ASSERT_EQ(codes_of(errors), (Codes{"E209", "E209"}));
  EXPECT_EQ(marked(errors[0].location), "\"esx[1-3]\"");
  EXPECT_EQ(errors[0].pointer, "/vm[1-4]/host");
  EXPECT_THAT(errors[0].message, HasSubstr("3 names, but its key \"vm[1-4]\" to 4"));
}

TEST(RangeExpansion, ANameThatTwoKeysGiveIsAnErrorThatNamesBoth) {
  const auto errors = expansion_errors(R"({"esx[1-3]": {}, "esx[3-4]": {}, "esx1": {}})");
  ASSERT_EQ(codes_of(errors), (Codes{"E210", "E210"}));
  EXPECT_EQ(errors[0].message, R"("esx[3-4]" gives the name "esx3", and so does "esx[1-3]")");
  EXPECT_EQ(marked(errors[1].location), "\"esx1\"");
}

TEST(RangeExpansion, BadRangesAreErrorsAtTheKey) {
  const auto errors = expansion_errors(R"({"esx[4-1]": {}, "b[1-2]": "c[2-1]"})");
  EXPECT_EQ(codes_of(errors), (Codes{"E208", "E208"}));
}

TEST(RangeExpansion, AShortHostileFileCannotExpandToBillions) {
  EXPECT_EQ(codes_of(expansion_errors(R"({"a[1-60000]": 0, "b[1-60000]": 0})")), Codes{"E107"});
  std::string many = R"({"a[1-100000]": ["x[1-100000]")";
  for (int i = 0; i < 1000; ++i) many += ",0";
  EXPECT_EQ(codes_of(expansion_errors(many + "]}")), Codes{"E107"});
}

}  // namespace range_expansion_test
}  // namespace vgsim::input
