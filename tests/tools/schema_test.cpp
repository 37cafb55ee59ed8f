#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "models/scenario/read/layout_keys.hpp"
#include "tests/tools/program.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim {
namespace schema_test {

using nlohmann::json;

const std::string kConfigs = std::string(VGSIM_SOURCE_DIR) + "/configs/";

class SchemaOf : public ::testing::TestWithParam<const char*> {};

TEST_P(SchemaOf, IsPublishedAsTheReaderHasIt) {
  const test::Scratch scratch;
  const std::string kind = GetParam();
  EXPECT_EQ(test::run_program(scratch, "schema " + kind).out,
            test::read_file(kConfigs + "schema/" + kind + ".schema.json"))
      << "write it anew with: vgsim schema " << kind << " -o configs/schema/" << kind
      << ".schema.json";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SchemaOf,
    ::testing::Values("scenario", "catalog", "network", "parameters", "calibration", "measurement",
                      "topology", "nccl-releases", "result", "check", "comparison", "explanation",
                      "case-patch", "sweep", "advice", "baseline", "tolerances", "errors", "case",
                      "bars", "score", "training-case", "training-folds", "verdicts",
                      "virtual-case", "vsphere-versions", "vsphere-profiles", "vsphere-partitions",
                      "vsphere-rules", "vsphere-settings"));

/// Reports references of a schema that lead nowhere.
void expect_references(const json& node, const json& own) {
  if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
    const std::string reference = node["$ref"];
    const std::size_t hash = reference.find('#');
    const std::string file = reference.substr(0, hash);
    const json::json_pointer pointer(hash == std::string::npos ? "" : reference.substr(hash + 1));
    const bool leads =
        file.empty() ? own.contains(pointer)
                     : json::parse(test::read_file(kConfigs + "schema/" + file)).contains(pointer);
    EXPECT_TRUE(leads) << reference;
  }
  if (!node.is_structured()) return;
  for (const json& child : node) expect_references(child, own);
}

TEST(Schemas, ReferToWhatIsThere) {
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs + "schema")) {
    const json schema = json::parse(test::read_file(entry.path().string()));
    SCOPED_TRACE(entry.path().filename());
    expect_references(schema, schema);
  }
}

class ScenarioSchema : public ::testing::Test {
 protected:
  ScenarioSchema() {
    const json text = json::parse(test::read_file(kConfigs + "schema/scenario.schema.json"));
    const valijson::adapters::NlohmannJsonAdapter adapter(text);
    valijson::SchemaParser().populateSchema(adapter, schema_);
  }

  bool schema_accepts(const json& document) {
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    return valijson::Validator().validate(schema_, adapter, nullptr);
  }

  static bool reader_accepts(const json& document) {
    const auto value = input::read_json(input::make_source("s.json", document.dump()));
    if (!value) return false;
    input::Diagnostics diagnostics;
    input::check(*value, scenario::scenario_shape(), diagnostics);
    return !diagnostics.has_errors();
  }

  valijson::Schema schema_;
};

std::vector<json> shipped_scenarios() {
  std::vector<json> documents;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs + "scenarios")) {
    if (entry.path().extension() == ".json") {
      documents.push_back(json::parse(test::read_file(entry.path())));
    }
  }
  return documents;
}

/// All places of a document, by JSON pointer.
std::vector<json::json_pointer> places(const json& document) {
  std::vector<json::json_pointer> result;
  const json flat = document.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    for (json::json_pointer p(pointer); !p.empty(); p = p.parent_pointer()) result.push_back(p);
  }
  return result;
}

TEST_F(ScenarioSchema, AcceptsWhatTheReaderAccepts) {
  for (const json& document : shipped_scenarios()) {
    EXPECT_TRUE(schema_accepts(document)) << document["name"];
    EXPECT_TRUE(reader_accepts(document)) << document["name"];
  }
}

TEST_F(ScenarioSchema, JudgesAThousandDamagedScenariosLikeTheReader) {
  const json wrong[] = {json(-1),       json(3.5),         json(true),
                        json("x"),      json(nullptr),     json::array(),
                        json::object(), json("25 Gbit/s"), json({{"zzz", 1}})};
  std::mt19937 random(20261121);  // its raw output is the same everywhere
  const auto documents = shipped_scenarios();
  std::size_t refused = 0;
  for (int i = 0; i < 1000; ++i) {
    json document = documents[random() % documents.size()];
    const auto all = places(document);
    const json::json_pointer& place = all[random() % all.size()];
    document[place] = wrong[random() % std::size(wrong)];
    const bool accepted = reader_accepts(document);
    refused += accepted ? 0 : 1;
    EXPECT_EQ(schema_accepts(document), accepted) << place << " in " << document.dump();
    if (HasFailure()) break;
  }
  EXPECT_GT(refused, 500U);
}

}  // namespace schema_test
}  // namespace vgsim
