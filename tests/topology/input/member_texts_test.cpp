#include "topology/input/member_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace member_texts_test {

using ::testing::Pair;

std::vector<std::pair<std::string, std::string>> members_in(std::string_view object) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto& [name, member] : member_texts(object)) {
    members.emplace_back(name, to_canonical_string(read_text(member.value)));
  }
  return members;
}

TEST(MemberTexts, AreThoseOfTheObjectWithoutNestedOnes) {
  EXPECT_THAT(members_in(R"( { "a": {"b": [1, {"c": 2}]}, "d" :[ ] ,"e":-1.5e3,
                             "f": true, "g": "x" } )"),
              ::testing::ElementsAre(Pair("a", R"({"b":[1,{"c":2}]})"), Pair("d", "[]"),
                                     Pair("e", "-1500"), Pair("f", "true"), Pair("g", "\"x\"")));
  EXPECT_THAT(members_in("{}"), ::testing::IsEmpty());
}

TEST(MemberTexts, BracketsAndQuotesInTextsCloseNothing) {
  EXPECT_THAT(members_in(R"({"a}\"": "\\", "b": "}]\"{,", "c\u0041": {"]": "}"}})"),
              ::testing::ElementsAre(Pair("a}\"", R"("\\")"), Pair("b", R"("}]\"{,")"),
                                     Pair("cA", R"({"]":"}"})")));
}

TEST(MemberTexts, IncludeNestedObjectsDownToADepth) {
  const MemberTexts members = member_texts(R"({"a": {"b": {"c": {}}, "d": []}, "e": 1})", 2);
  EXPECT_EQ(members.at("a").value, R"({"b": {"c": {}}, "d": []})");
  EXPECT_EQ(members.at("a").members.at("b").value, R"({"c": {}})");
  EXPECT_TRUE(members.at("a").members.at("b").members.empty());
  EXPECT_EQ(members.at("a").members.at("d").value, "[]");
  EXPECT_EQ(members.at("e").value, "1");
}

TEST(MemberTexts, LeaveOutCommentsAsTheReaderDoes) {
  EXPECT_THAT(members_in(R"({"$comment": "a, } text", "$comments": "none", "a": 1})"),
              ::testing::ElementsAre(Pair("$comments", "\"none\""), Pair("a", "1")));
  EXPECT_THAT(members_in(R"({"$comment": 1})"), ::testing::ElementsAre(Pair("$comment", "1")));
}

}  // namespace member_texts_test
}  // namespace vgsim::input
