#include "models/vsphere/facts/rules.hpp"

#include "models/vsphere/facts/read_checked.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Verdict verdict_of(const std::string& word) {
  if (word == "refused") return Verdict::kRefused;
  return word == "price" ? Verdict::kPrice : Verdict::kNote;
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRefused:
      return "refused";
    case Verdict::kPrice:
      return "price";
    case Verdict::kNote:
      return "note";
  }
  return "?";
}

Shape rules_shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-rules/1"})).required(),
      field("sources", citations_shape()).required(),
      field("rules",
            map_shape("id of a rule",
                      object_shape({
                          field("verdict", enum_shape({"refused", "price", "note"}))
                              .required()
                              .describe("refused: cannot be powered on, or must not be run; "
                                        "price: accepted, but costs something"),
                          field("title", string_shape()).required(),
                          field("why", string_shape()).required(),
                          field("remedy", string_shape()).required(),
                          field("sources", array_shape(name_shape(), 1)).required(),
                      })))
          .required(),
  });
}

tl::expected<Rules, Diagnostics> read_rules(const SourcePtr& file) {
  const auto document = read_checked(file, rules_shape());
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  const Citations citations(*document);
  Rules rules;
  for (const auto& [id, key, value] : find(*document, "rules")->members()) {
    Rule rule{id,
              verdict_of(as_string(*find(value, "verdict"))),
              as_string(*find(value, "title")),
              as_string(*find(value, "why")),
              as_string(*find(value, "remedy")),
              {}};
    for (const Value& source : find(value, "sources")->elements()) {
      rule.sources.push_back(citations.of(source, diagnostics));
    }
    rules.emplace(id, std::move(rule));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return rules;
}

}  // namespace vgsim::vsphere
