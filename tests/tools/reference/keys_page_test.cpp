#include "tools/cli/reference/keys_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "models/scenario/read/layout_keys.hpp"
#include "tests/tools/program.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::cli {
namespace keys_page_test {

using input::field;
using testing::HasSubstr;
using testing::Not;

input::Shape part_shape() {
  const input::Shape link = input::object_shape({
      field("rate", input::rate_shape(BytesPerSecond{1})).required().describe("how fast it is"),
      field("wait", input::time_shape()).default_text("2 us").examples({"5 us"}),
  });
  return input::object_shape({
      field("name", input::name_shape()).required(),
      field("links", input::map_shape("name of a link", link)).describe("links of the part"),
      field("cores", input::count_shape(1, 64)),
      field("spare", input::any_of_shape({input::boolean_shape(), input::enum_shape({"all"})})),
  });
}

KeyUses uses_in(std::initializer_list<const char*> documents) {
  KeyUses uses;
  for (const char* text : documents) {
    add_uses(*input::read_json(input::make_source("part.json", text)), part_shape(), uses);
  }
  return uses;
}

TEST(KeysPage, HasUnitDefaultAndExampleOfEachKey) {
  const std::string page = keys_page(part_shape(), {});
  EXPECT_THAT(page, HasSubstr("### The file\n\n* `name`: A name. Required.\n"));
  EXPECT_THAT(page, HasSubstr("### `/links/*`\n\n* `rate`: how fast it is. A rate such as"));
  EXPECT_THAT(page, HasSubstr("* `wait`: A duration such as \"1.5 ms\". Default: 2 us. Example: "
                              "`\"5 us\"`."));
  EXPECT_THAT(page, HasSubstr("* `spare`: True or false, or \"all\"."));
  EXPECT_THAT(page, Not(HasSubstr("no shipped file"))) << "without files nothing is known of uses";
}

TEST(KeysPage, TheFirstUseIsTheExampleWhereTheShapeHasNone) {
  const std::string page = keys_page(
      part_shape(), uses_in({R"({ "links": { "a": { "rate": "3 GB/s", "wait": "9 us" } } })",
                             R"({ "cores": 8, "links": { "b": { "rate": "4 GB/s" } } })"}));
  EXPECT_THAT(page, HasSubstr("Example: `\"3 GB/s\"`."));
  EXPECT_THAT(page, Not(HasSubstr("4 GB/s")));
  EXPECT_THAT(page, HasSubstr("Example: `\"5 us\"`.")) << "the shape's own goes before";
  EXPECT_THAT(page, HasSubstr("Example: `8`."));
  EXPECT_THAT(page, HasSubstr("### Keys that no shipped file uses\n\n`/name`, `/spare`\n"));
}

TEST(KeysPage, KeysOfAnUnusedObjectAreNotListedInAddition) {
  const std::string page = keys_page(part_shape(), uses_in({R"({ "name": "x", "spare": true })"}));
  EXPECT_THAT(page, HasSubstr("`/links`, `/cores`\n"));
}

/// Adds all keys of objects in a JSON Schema but those of merge patches and networks.
void add_keys(const nlohmann::json& schema, std::set<std::string>& keys) {
  const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
  for (const auto& [key, value] : properties.items()) {
    if (key == "$schema" || key == "layouts") continue;
    keys.insert(key);
    if (key != "network") add_keys(value, keys);
  }
  for (const char* below : {"items", "additionalProperties"}) {
    if (schema.contains(below) && schema[below].is_object()) add_keys(schema[below], keys);
  }
  for (const auto& each : schema.value("anyOf", nlohmann::json::array())) add_keys(each, keys);
}

TEST(KeysPage, HasEveryKeyOfTheSchemaOfScenarios) {
  const std::string path = std::string(VGSIM_SOURCE_DIR) + "/configs/schema/scenario.schema.json";
  std::set<std::string> keys;
  add_keys(nlohmann::json::parse(test::read_file(path)), keys);
  for (const char* of_any_file : {"description", "$comment"}) keys.erase(of_any_file);
  ASSERT_GT(keys.size(), 100U);
  const std::string page = keys_page(scenario::scenario_shape(), {});
  for (const std::string& key : keys) EXPECT_THAT(page, HasSubstr("* `" + key + "`: "));
}

TEST(KeysPage, FitsATerminal) {
  std::istringstream lines(keys_page(scenario::scenario_shape(), {}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(KeysPage, IsWhatTheSchemaCommandPrintsWithExamplesFromTheShippedFiles) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "schema scenario --format md");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(
      ran.out,
      HasSubstr("* `tensor`: tensor-parallel ranks: each matrix product is split over them."));
  EXPECT_THAT(ran.out, HasSubstr("### Keys that no shipped file uses"));
}

}  // namespace keys_page_test
}  // namespace vgsim::cli
