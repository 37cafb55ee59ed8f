#include "models/vsphere/facts/rules.hpp"

#include <fmt/core.h>

#include "models/vsphere/facts/read_checked.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "topology/input/entries.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Verdict verdict_of(const std::string& word) {
  if (word == "refused") return Verdict::kRefused;
  return word == "price" ? Verdict::kPrice : Verdict::kNote;
}

Shape rule_shape() {
  const Shape version = enum_shape(Versions::words());
  return object_shape({
      field("verdict", enum_shape({"refused", "price", "note"}))
          .required()
          .describe("refused: cannot be powered on, or must not be run; "
                    "price: accepted, but costs something"),
      field("not_priced", boolean_shape())
          .describe("what the rule speaks of adds nothing to a time or cost: the first screen of a "
                    "run says so")
          .default_text("false"),
      field("title", string_shape()).required(),
      field("why", string_shape()).required(),
      field("remedy", string_shape()).required(),
      field("versions", object_shape({
                            field("from", version).required(),
                            field("to", version).default_text("it still holds"),
                        }))
          .required()
          .describe("versions of vSphere in which it can bite"),
      field("evidence", enum_shape({"documented", "measured", "recalled", "inferred", "assumed"}))
          .required()
          .describe("inferred: no source states it, it follows from what they state"),
      field("confidence", enum_shape({"high", "medium", "low"})).required(),
      field("disputed_by", object_shape({
                               field("source", name_shape()).required(),
                               field("says", string_shape()).required(),
                           }))
          .describe("a source that says otherwise"),
      field("sources", array_shape(name_shape(), 1)).required(),
  });
}

Standing standing_of(const Value& rule, const Citations& citations, Diagnostics& diagnostics) {
  Standing standing{as_string(*find(rule, "evidence")), as_string(*find(rule, "confidence")), ""};
  if (const auto dispute = find(rule, "disputed_by")) {
    standing.disputed = fmt::format("{} ({})", as_string(*find(*dispute, "says")),
                                    citations.of(*find(*dispute, "source"), diagnostics).title);
  }
  return standing;
}

Rule read_rule(const std::string& id, const Value& value, const Citations& citations,
               Diagnostics& diagnostics) {
  Rule rule{id,
            verdict_of(as_string(*find(value, "verdict"))),
            as_string(*find(*find(value, "versions"), "from")),
            {},
            standing_of(value, citations, diagnostics),
            as_string(*find(value, "title")),
            as_string(*find(value, "why")),
            as_string(*find(value, "remedy")),
            {}};
  if (const auto not_priced = find(value, "not_priced")) rule.not_priced = as_bool(*not_priced);
  if (const auto to = find(*find(value, "versions"), "to")) rule.to = as_string(*to);
  for (const Value& source : find(value, "sources")->elements()) {
    rule.sources.push_back(citations.of(source, diagnostics));
  }
  return rule;
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

std::string to_string(const Standing& standing) {
  return fmt::format("{}, confidence {}{}", standing.evidence, standing.confidence,
                     standing.disputed.empty() ? "" : "; disputed: " + standing.disputed);
}

Shape rules_shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-rules/1"})).required(),
      field("sources", citations_shape()).required(),
      field("rules", map_shape("id of a rule", rule_shape())).required(),
  });
}

tl::expected<Rules, Diagnostics> read_rules(const SourcePtr& file) {
  Rules rules;
  Diagnostics diagnostics;
  if (file->checked) {
    const Entries entries = unread_entries(file, member_texts(file->text, 2), "rules");
    rules.make_later(entries.names, [entries](const std::string& id) {
      Diagnostics unexpected;  // the file was checked when vgsim was built
      Rule rule = read_rule(id, entries.entry(id), Citations(entries.sources()), unexpected);
      input::expect_no_errors(unexpected);
      return rule;
    });
    return rules;
  }
  const auto document = read_checked(file, rules_shape);
  if (!document) return tl::unexpected(document.error());
  const Citations citations(*find(*document, "sources"));
  for (const auto& [id, key, value] : find(*document, "rules")->members()) {
    rules[id] = read_rule(id, value, citations, diagnostics);
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return rules;
}

}  // namespace vgsim::vsphere
