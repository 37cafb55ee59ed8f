#include "models/vsphere/facts/rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/vsphere/facts/read_checked.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "topology/input/entries.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Verdict verdict_of(const std::string& word) {
  if (word == "refused") return Verdict::kRefused;
  return word == "warning" ? Verdict::kWarning : Verdict::kNote;
}

Shape rule_shape() {
  const Shape version = enum_shape(Versions::words());
  return object_shape({
      field("verdict", enum_shape({"refused", "warning", "note"}))
          .required()
          .describe("refused: cannot be powered on, or must not be run; "
                    "warning: allowed with caveats"),
      field("not_priced", boolean_shape())
          .describe("the rule's subject adds nothing to a time or cost: the first screen of a "
                    "run states this")
          .default_text("false"),
      field("support", boolean_shape())
          .describe("states only what a vendor supports: the system works all the same")
          .default_text("false"),
      field("title", string_shape()).required(),
      field("why", string_shape()).required(),
      field("remedy", string_shape()).required(),
      field("versions", object_shape({
                            field("from", version).required(),
                            field("to", version).default_text("it still holds"),
                        }))
          .required()
          .describe("versions of vSphere in which it can apply"),
      field("inferred", boolean_shape())
          .describe("no source states it; it follows from several")
          .default_text("false"),
      field("disputed_by", object_shape({
                               field("source", name_shape()).required(),
                               field("says", string_shape()).required(),
                           }))
          .describe("a source that disagrees"),
      field("sources", array_shape(name_shape(), 1)).required(),
  });
}

/// See Evidence.
const char* confidence_of(const std::vector<Citation>& sources, bool inferred, bool disputed) {
  constexpr std::array kSteps{"low", "medium", "high"};
  const auto best =
      std::min_element(sources.begin(), sources.end(), [](const Citation& a, const Citation& b) {
        return std::pair(rank_of_evidence(a.evidence), a.url.empty()) <
               std::pair(rank_of_evidence(b.evidence), b.url.empty());
      });
  const bool whole = best->evidence == "read" || best->evidence == "measured";
  std::size_t step = whole ? 2 : best->evidence == "excerpt" ? 1 : 0;
  if (whole && best->url.empty()) --step;
  if (step > 0 && inferred) --step;
  if (step > 0 && disputed) --step;
  return kSteps.at(step);
}

std::string evidence_of(const std::vector<Citation>& sources, bool inferred) {
  if (inferred) return "inferred";
  return std::min_element(sources.begin(), sources.end(),
                          [](const Citation& a, const Citation& b) {
                            return rank_of_evidence(a.evidence) < rank_of_evidence(b.evidence);
                          })
      ->evidence;
}

Evidence rule_evidence(const Value& rule, const std::vector<Citation>& sources,
                       const Citations& citations, Diagnostics& diagnostics) {
  const auto says = find(rule, "inferred");
  const bool inferred = says && as_bool(*says);
  const auto dispute = find(rule, "disputed_by");
  Evidence evidence{evidence_of(sources, inferred),
                    confidence_of(sources, inferred, dispute.has_value()), ""};
  if (dispute) {
    evidence.disputed = fmt::format("{} ({})", as_string(*find(*dispute, "says")),
                                    citations.of(*find(*dispute, "source"), diagnostics).title);
  }
  return evidence;
}

Rule read_rule(const std::string& id, const Value& value, const Citations& citations,
               Diagnostics& diagnostics) {
  Rule rule;
  rule.id = id;
  rule.verdict = verdict_of(as_string(*find(value, "verdict")));
  rule.from = as_string(*find(*find(value, "versions"), "from"));
  if (const auto to = find(*find(value, "versions"), "to")) rule.to = as_string(*to);
  rule.title = as_string(*find(value, "title"));
  rule.why = as_string(*find(value, "why"));
  rule.remedy = as_string(*find(value, "remedy"));
  if (const auto not_priced = find(value, "not_priced")) rule.not_priced = as_bool(*not_priced);
  if (const auto support = find(value, "support")) rule.is_support = as_bool(*support);
  for (const Value& source : find(value, "sources")->elements()) {
    rule.sources.push_back(citations.of(source, diagnostics));
  }
  rule.evidence = rule_evidence(value, rule.sources, citations, diagnostics);
  return rule;
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRefused:
      return "refused";
    case Verdict::kWarning:
      return "warning";
    case Verdict::kNote:
      return "note";
  }
  return "?";
}

std::string to_string(const Evidence& evidence) {
  return fmt::format("{}, confidence {}{}", evidence.kind, evidence.confidence,
                     evidence.disputed.empty() ? "" : "; disputed: " + evidence.disputed);
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
