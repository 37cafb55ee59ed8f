#include "topology/importers/infragraph/yaml_tree.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace vgsim::topology {
namespace yaml_tree_test {

using Kind = YamlNode::Kind;

tl::expected<YamlNode, input::Diagnostics> read(const std::string& text) {
  return read_yaml(input::make_source("t.yaml", text));
}

/// "E533 at 12" of the only error.
std::string error_of(const std::string& text) {
  const auto node = read(text);
  if (node) return "none";
  const auto items = node.error().items();
  return fmt::format("{} at {}", items.front().code, items.front().location.offset);
}

TEST(YamlTree, YamlAndJsonGiveTheSameTree) {
  const auto yaml = read("a:\n- 1\n- x y\nb: {c: ~}\n");
  const auto json = read("{\"a\":[1,\"x y\"],\"b\":{\"c\":null}}");
  ASSERT_TRUE(yaml && json);
  for (const YamlNode* root : {&*yaml, &*json}) {
    const YamlNode* a = root->find("a");
    ASSERT_NE(a, nullptr);
    ASSERT_EQ(a->items.size(), 2u);
    EXPECT_EQ(a->items[0].text, "1");
    EXPECT_EQ(a->items[1].text, "x y");
    EXPECT_EQ(root->find("b")->find("c")->kind, Kind::kNull);
    EXPECT_EQ(root->find("d"), nullptr);
  }
}

TEST(YamlTree, PlacesAreBytesOfTheFile) {
  const std::string text = "\xef\xbb\xbf\"k\xc3\xa9y\": 1\r\nlast: [2]\r\n";
  const auto root = read(text);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->items[1].offset, text.find('1'));
  EXPECT_EQ(root->find("last")->items[0].offset, text.find('2'));
}

TEST(YamlTree, AnAliasIsWhatItStandsFor) {
  const auto root = read("- &x {a: 1}\n- *x\n");
  ASSERT_TRUE(root);
  EXPECT_EQ(root->items[1].find("a")->text, "1");
}

TEST(YamlTree, AnAliasOfWhatContainsItIsRefused) {
  EXPECT_EQ(error_of("a: &x [1, *x]"), "E531 at 10");
}

TEST(YamlTree, AliasesOfAliasesCountAsWhatTheyStandFor) {
  std::string bomb = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += fmt::format("- &a{} [*a{}", i, i - 1);
    for (int k = 0; k < 9; ++k) bomb += fmt::format(", *a{}", i - 1);
    bomb += "]\n";
  }
  EXPECT_EQ(error_of(bomb).substr(0, 4), "E533");
}

TEST(YamlTree, DeepNestingIsRefusedBeforeTheStackEnds) {
  const auto repeated = [](const std::string& part) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += part;
    return text;
  };
  EXPECT_EQ(error_of(repeated("[")).substr(0, 4), "E533");
  EXPECT_EQ(error_of(repeated("{a: ")).substr(0, 4), "E533");
  EXPECT_EQ(error_of(repeated("- ")).substr(0, 4), "E533");
  EXPECT_EQ(error_of(repeated("? ")).substr(0, 4), "E533");
}

TEST(YamlTree, WhatIsNoYamlIsRefusedWhereItBreaks) {
  EXPECT_EQ(error_of("{\"a\": 1,"), "E531 at 8");
  EXPECT_EQ(error_of("a: b: c"), "E531 at 4");
  EXPECT_EQ(error_of("a: *nothing"), "E531 at 3");
  EXPECT_EQ(error_of("{[1]: 2}"), "E531 at 1");
}

TEST(YamlTree, NulAndUtf16AreRefused) {
  EXPECT_EQ(error_of(std::string("a: \0", 4)), "E531 at 3");
  EXPECT_EQ(error_of("\xff\xfe\x61\x62"), "E531 at 0");
}

TEST(YamlTree, AnEmptyDocumentHoldsNothing) {
  EXPECT_EQ(error_of(""), "E532 at 0");
  EXPECT_EQ(error_of("# only a comment\n"), "E532 at 0");
  EXPECT_EQ(error_of("~"), "E532 at 0");
}

TEST(YamlTree, TooManyBytesAreRefused) {
  EXPECT_EQ(error_of(std::string((16u << 20) + 1, ' ')), "E533 at 0");
}

TEST(YamlTree, OnlyTheFirstDocumentIsRead) {
  bool has_more = false;
  const auto root = read_yaml(input::make_source("t.yaml", "a: 1\n---\nb: 2\n"), &has_more);
  ASSERT_TRUE(root);
  EXPECT_NE(root->find("a"), nullptr);
  EXPECT_TRUE(has_more);
  (void)read_yaml(input::make_source("t.yaml", "a: 1\n# end\n"), &has_more);
  EXPECT_FALSE(has_more);
}

TEST(YamlTree, OfAKeyThatIsThereTwiceTheLastCounts) {
  EXPECT_EQ(read("a: 1\na: 2\n")->find("a")->text, "2");
}

}  // namespace yaml_tree_test
}  // namespace vgsim::topology
