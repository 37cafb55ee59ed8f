#include "topology/input/value.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace vgsim::input {
namespace value_test {

TEST(Value, ACopySharesItsContent) {
  const Value original = Value::make_string("x");
  const Value copy = original;
  EXPECT_EQ(&original.string(), &copy.string());
}

TEST(Value, AccessorsOfAnotherKindThrow) {
  EXPECT_THROW((void)Value::make_string("1").integer(), std::logic_error);
  EXPECT_THROW((void)Value::make_string("1").number(), std::logic_error);
  EXPECT_THROW((void)Value::make_integer(1).string(), std::logic_error);
  EXPECT_THROW((void)Value::make_integer(1).boolean(), std::logic_error);
  EXPECT_THROW((void)Value().elements(), std::logic_error);
  EXPECT_THROW((void)Value().members(), std::logic_error);
  EXPECT_THROW((void)Value().written_as_integer(), std::logic_error);
}

TEST(Value, MembersAreFoundByName) {
  std::vector<Member> members;
  for (const char* name : {"m", "a", "z", "k", ""}) {
    members.push_back({name, {}, Value::make_string(name)});
  }
  const Value object = Value::make_object(members);
  for (const Member& member : members) {
    ASSERT_NE(object.member(member.name), nullptr);
    EXPECT_EQ(object.member(member.name)->value.string(), member.name);
  }
  EXPECT_EQ(object.member("b"), nullptr);
  EXPECT_EQ(object.member("zz"), nullptr);
  EXPECT_EQ(Value::make_integer(1).member("m"), nullptr);
}

TEST(Value, AnObjectCannotHaveTwoMembersOfOneName) {
  EXPECT_THROW(
      (void)Value::make_object({{"a", {}, Value()}, {"b", {}, Value()}, {"a", {}, Value()}}),
      std::logic_error);
}

TEST(Value, MadeInCodeItHasNoPlace) {
  EXPECT_EQ(Value::make_integer(1).location().source, nullptr);
  EXPECT_EQ(Value::make_integer(1).pointer(), "");
}

}  // namespace value_test
}  // namespace vgsim::input
