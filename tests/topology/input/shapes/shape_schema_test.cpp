#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "tests/topology/input/parsing.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {
namespace shape_schema_test {

using nlohmann::json;

Shape scenario() {
  const Shape link = object_shape({field("kind", enum_shape({"nvlink4", "pcie5"})).required(),
                                   field("bandwidth", rate_shape()).required(),
                                   field("latency", time_shape()).default_text("2 us"),
                                   field("width", count_shape(1, 16)).default_text("16")});
  const Shape gpus =
      any_of_shape({count_shape(0, 8), enum_shape({"all", "none"}),
                    object_shape({field("mode", enum_shape({"vgpu"})).required(),
                                  field("memory", bytes_shape())}),
                    object_shape({field("mode", enum_shape({"passthrough"})).required(),
                                  field("bar1", boolean_shape())})});
  return object_shape(
      {field("name", string_shape()).required(), field("share", number_shape(0, 1)),
       field("links", array_shape(link, 1, 3)).aliases({"edges"}), field("gpus", gpus.nullable()),
       field("hosts", map_shape("host name",
                                object_shape({field("cores", count_shape(1)).required(),
                                              field("peak", flops_rate_shape())}),
                                0, 2))});
}

/// A standard validator with the schema generated from a shape.
class StandardValidator {
 public:
  explicit StandardValidator(const Shape& shape)
      : text_(json::parse(to_json_schema(shape, "test", "http://example.org/test.json"))) {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text_), schema_);
  }
  [[nodiscard]] bool accepts(const json& document) {
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    return validator_.validate(schema_, adapter, nullptr);
  }

 private:
  json text_;
  valijson::Schema schema_;
  valijson::Validator validator_;
};

bool check_accepts(const Shape& shape, const json& document) {
  Diagnostics diagnostics;
  check(parsed(document.dump()), shape, diagnostics);
  return !diagnostics.has_errors();
}

json random_scalar() {
  return json::parse(*rc::gen::element<std::string>(
      "null", "true", "0", "1", "7", "17", "-1", "3.7", "0.5", "1099511627776", "\"\"", "\"all\"",
      "\"4\"", "\"pcie5\"", "\"nvlink\"", "\"25 GB/s\"", "\"25 Gbit/s\"", "\"64 KB\"", "\"64 KiB\"",
      "\"2 us\"", "\"2 \xC2\xB5s\"", "\"-2 us\"", "\"3 TFLOPS\"", "[]", "{}", "[1]"));
}

/// A good scenario with a few parts replaced, dropped or added at random: about half are bad.
json random_scenario() {
  json document = json::parse(R"({"name": "x", "share": 0.5, "gpus": "all",
      "links": [{"kind": "pcie5", "bandwidth": "25 GB/s"},
                {"kind": "nvlink4", "bandwidth": "7.2 Tbit/s", "latency": "2 us", "width": 4}],
      "hosts": {"esx01": {"cores": 4, "peak": "312 TFLOPS"}}})");
  const json alternatives = json::parse(R"([4, null, {"mode": "vgpu", "memory": "4 GiB"},
      {"mode": "passthrough", "bar1": true}, {"mode": "vgpu", "bar1": true}, {"memory": "1 GB"}])");
  document["gpus"] = alternatives[*rc::gen::inRange<std::size_t>(0, alternatives.size())];
  const int edits = *rc::gen::inRange(0, 3);
  for (int i = 0; i < edits; ++i) {
    const std::string place = *rc::gen::element<std::string>(
        "/name", "/share", "/gpus", "/links", "/links/0", "/links/0/kind", "/links/1/bandwidth",
        "/links/1/latency", "/links/1/width", "/hosts", "/hosts/esx01", "/hosts/esx01/cores",
        "/hosts/esx01/peak", "/hosts/a b", "/$schema", "/description", "/extra", "/gpus/memory",
        "/links/0/$schema", "/hosts/", "/$comment", "/links/0/$comment");
    try {
      const json::json_pointer pointer(place);
      if (*rc::gen::inRange(0, 4) == 0) {
        document[pointer.parent_pointer()].erase(pointer.back());
      } else {
        document[pointer] = random_scalar();
      }
    } catch (const json::exception&) {
      // An earlier edit took away the parent.
    }
  }
  return document;
}

TEST(JsonSchema, AcceptsAndRefusesWhatCheckDoes) {
  const Shape shape = scenario();
  StandardValidator validator(shape);
  int accepted = 0;
  int refused = 0;
  const bool agree = rc::check("the schema and check() agree", [&] {
    const json document = random_scenario();
    const bool ours = check_accepts(shape, document);
    ++(ours ? accepted : refused);
    if (validator.accepts(document) != ours) RC_FAIL(document.dump());
  });
  EXPECT_TRUE(agree);
  EXPECT_GT(accepted, 10);
  EXPECT_GT(refused, 10);
}

TEST(JsonSchema, OfAPatchAcceptsAndRefusesWhatCheckDoes) {
  const Shape shape = patch_of(scenario());
  StandardValidator validator(shape);
  EXPECT_TRUE(rc::check("the schema of the patch and check() agree", [&] {
    const json document = random_scenario();
    if (validator.accepts(document) != check_accepts(shape, document)) RC_FAIL(document.dump());
  }));
}

json schema_json(const Shape& shape) { return json::parse(to_json_schema(shape, "t", "i")); }

TEST(JsonSchema, NamesItsDialectTitleAndId) {
  const json schema = json::parse(to_json_schema(scenario(), "A scenario", "scenario.json"));
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["$id"], "scenario.json");
  EXPECT_EQ(schema["title"], "A scenario");
  EXPECT_EQ(schema["properties"].count("$schema"), 1u);
  EXPECT_EQ(schema["properties"]["links"]["items"]["properties"].count("$schema"), 0u);
}

TEST(JsonSchema, ContainsTheTextsThatEditorsShow) {
  const json schema = schema_json(object_shape(
      {field("rate", rate_shape(BytesPerSecond{1000}).describe("Payload only."))
           .describe("Per direction.")
           .default_text("25 GB/s")
           .examples({"25 Gbit/s"}),
       field("width", count_shape(1, 16)).default_text("as many as there are").examples({"4"}),
       field("on", boolean_shape()).default_text("true"),
       field("label", string_shape()).default_text("4")}));
  const json& fields = schema["properties"];
  EXPECT_EQ(fields["rate"]["description"],
            "Per direction. Payload only. A value of at least 1 kB/s.");
  EXPECT_EQ(fields["rate"]["default"], "25 GB/s");
  EXPECT_EQ(fields["rate"]["examples"], json::parse(R"(["25 Gbit/s"])"));
  EXPECT_EQ(fields["width"]["description"], "Default: as many as there are.");
  EXPECT_EQ(fields["width"]["examples"], json::parse("[4]"));
  EXPECT_EQ(fields["on"]["default"], true);
  EXPECT_EQ(fields["label"]["default"], "4");
}

TEST(JsonSchema, AnExampleThatDoesNotFitIsABug) {
  EXPECT_THROW((void)to_json_schema(object_shape({field("rate", rate_shape()).examples({"25 GB"})}),
                                    "t", "i"),
               std::logic_error);
}

TEST(JsonSchema, NullIsOfferedWhereItIsAllowed) {
  const json schema = schema_json(
      object_shape({field("a", count_shape().nullable()), field("b", enum_shape({"x"}).nullable()),
                    field("c", any_of_shape({count_shape()}).nullable())}));
  EXPECT_EQ(schema["properties"]["a"]["type"], json::parse(R"(["integer", "null"])"));
  EXPECT_EQ(schema["properties"]["b"]["enum"], json::parse(R"(["x", null])"));
  EXPECT_EQ(schema["properties"]["c"]["anyOf"].size(), 2u);
}

TEST(JsonSchema, IsTheSameTextEveryTime) {
  EXPECT_EQ(to_json_schema(scenario(), "t", "i"), to_json_schema(scenario(), "t", "i"));
  EXPECT_EQ(to_json_schema(scenario(), "t", "i").back(), '\n');
}

}  // namespace shape_schema_test
}  // namespace vgsim::input
