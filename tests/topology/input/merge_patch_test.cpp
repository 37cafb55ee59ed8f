#include "topology/input/merge_patch.hpp"

#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace merge_patch_test {

struct Example {
  std::string base, patch, result;
};

class Rfc7396 : public ::testing::TestWithParam<Example> {};

TEST_P(Rfc7396, Holds) {
  const Example& example = GetParam();
  const Value merged = merge_patch(parsed(example.base), parsed(example.patch));
  EXPECT_EQ(to_canonical_string(merged), to_canonical_string(parsed(example.result)));
}

// The table of RFC 7396, appendix A, all 15 rows.
INSTANTIATE_TEST_SUITE_P(
    AppendixA, Rfc7396,
    ::testing::Values(Example{R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
                      Example{R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
                      Example{R"({"a":"b"})", R"({"a":null})", R"({})"},
                      Example{R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
                      Example{R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
                      Example{R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
                      Example{R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})",
                              R"({"a":{"b":"d"}})"},
                      Example{R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
                      Example{R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
                      Example{R"({"a":"b"})", R"(["c"])", R"(["c"])"},
                      Example{R"({"a":"foo"})", R"(null)", R"(null)"},
                      Example{R"({"a":"foo"})", R"("bar")", R"("bar")"},
                      Example{R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
                      Example{R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
                      Example{R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"}));

TEST(MergePatch, EveryPartKeepsItsOrigin) {
  const Value base = parsed(R"({"hosts": {"a": {"gpus": 4, "cpus": 2}}})");
  const Value patch = parsed(R"({"layouts": {"x": {"hosts": {"a": {"gpus": 8, "nics": [1]}}}}})")
                          .member("layouts")
                          ->value.member("x")
                          ->value;
  const Value host = merge_patch(base, patch).member("hosts")->value.member("a")->value;
  EXPECT_EQ(host.pointer(), "/hosts/a");
  EXPECT_EQ(host.member("cpus")->value.pointer(), "/hosts/a/cpus");
  EXPECT_EQ(host.member("gpus")->value.pointer(), "/layouts/x/hosts/a/gpus");
  EXPECT_EQ(host.member("gpus")->key.source, patch.location().source);
  EXPECT_EQ(marked(host.member("nics")->value.elements()[0].location()), "1");
  EXPECT_EQ(host.member("nics")->value.elements()[0].pointer(), "/layouts/x/hosts/a/nics/0");
}

TEST(MergePatch, AnObjectHasTheOriginOfAPatchThatRemovesAMember) {
  const Value base = parsed(R"({"hosts": {"a": {"server": "x", "gpus": 4}, "b": {"gpus": 2}}})");
  const Value patch =
      parsed(R"({"layouts": {"x": {"hosts": {"a": {"server": null}, "b": {"gpus": 1}}}}})")
          .member("layouts")
          ->value.member("x")
          ->value;
  const Value hosts = merge_patch(base, patch).member("hosts")->value;
  EXPECT_EQ(hosts.member("a")->value.pointer(), "/layouts/x/hosts/a");
  EXPECT_EQ(hosts.member("b")->value.pointer(), "/hosts/b");
  EXPECT_EQ(hosts.pointer(), "/hosts");
}

TEST(MergePatch, NewMembersFollowTheOldInTheOrderOfThePatch) {
  const Value merged = merge_patch(parsed(R"({"m":1,"a":2})"), parsed(R"({"z":1,"m":3,"b":2})"));
  std::string order;
  for (const Member& member : merged.members()) order += member.name;
  EXPECT_EQ(order, "mazb");
}

}  // namespace merge_patch_test
}  // namespace vgsim::input
