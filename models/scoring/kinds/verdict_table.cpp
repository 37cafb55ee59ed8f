#include "models/scoring/kinds/verdict_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/scenario/read/layout_keys.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/record.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

/// Rules of the loss of an operation are called after it.
constexpr std::string_view kLoss = "loses-";

enum class Expectation : std::uint8_t { kSupported, kRefused, kLost };

struct SourceKeys {
  std::string title;
  std::string address;
  std::string date;
  bool is_recalled = false;
};
using Sources = std::vector<Named<SourceKeys>>;
using Features = std::vector<Named<std::vector<At<std::string>>>>;
using Bases = std::vector<Named<Value>>;

struct VerdictKeys {
  At<std::string> id;
  std::string claim;
  std::vector<At<std::string>> sources;
  At<std::string> base;
  std::optional<Value> change;
  std::optional<At<std::string>> feature;
  At<Expectation> expected;
  std::optional<At<std::string>> rule;
  At<bool> combined;
};

struct TableKeys {
  std::string format;
  At<std::string> area;
  std::string title;
  Sources sources;
  Bases bases;
  Features features;
  std::vector<At<VerdictKeys>> verdicts;
};

/// As in the layouts of a scenario.
Shape layout_patch() {
  return patch_of(scenario::layout_decoder().shape)
      .published_in("scenario.schema.json#/properties/layouts/additionalProperties");
}

const Shape& whole_scenario_of_verdict() {
  static const Shape shape = scenario::scenario_shape();
  return shape;
}

Decoder<SourceKeys> verdict_source() {
  return record<SourceKeys>({
      key("title", &SourceKeys::title, name()).required().describe("who wrote what"),
      key("address", &SourceKeys::address, name()).required().describe("where it can be read"),
      key("date", &SourceKeys::date, name())
          .required()
          .describe("of the document, or of the release that it is for")
          .examples({"2024-06-25"}),
      key("evidence", &SourceKeys::is_recalled,
          words<bool>({{"read whole", false}, {"excerpt", false}, {"recalled", true}}))
          .required()
          .describe("how it was read; recall alone cannot refuse"),
  });
}

Decoder<VerdictKeys> verdict_decoder() {
  return record<VerdictKeys>({
      key("id", &VerdictKeys::id, name()).required().describe("unique in the table"),
      key("claim", &VerdictKeys::claim, name()).required().describe("in one sentence"),
      key("sources", &VerdictKeys::sources, list(placed(name()), 1))
          .required()
          .describe("names of the sources that state or imply it"),
      key("base", &VerdictKeys::base, name()).required().describe("name of one of \"bases\""),
      key("change", &VerdictKeys::change, as_written(layout_patch()))
          .describe("merge patch over the base"),
      key("feature", &VerdictKeys::feature, name())
          .describe("an operation that a VM keeps or loses, or one of \"features\"")
          .default_text("powering on")
          .examples({"vmotion"}),
      key("expect", &VerdictKeys::expected,
          words<Expectation>({{"supported", Expectation::kSupported},
                              {"refused", Expectation::kRefused},
                              {"lost", Expectation::kLost}}))
          .required()
          .describe("refused: it cannot be powered on; lost: it runs without the feature"),
      key("rule", &VerdictKeys::rule, name())
          .describe("rule that must be among the reasons, or error code of a scenario that cannot "
                    "be built")
          .examples({"mmio-too-small", "E411"}),
      key("combined", &VerdictKeys::combined, boolean())
          .describe("whether no single source states it")
          .default_value("false"),
  });
}

const Decoder<TableKeys>& table_decoder() {
  static const Decoder<TableKeys> decoder = record<TableKeys>({
      key("format", &TableKeys::format,
          changed(as_written(enum_shape({kVerdictTableFormat})),
                  [](const Value& word) { return word.string(); }))
          .required(),
      key("area", &TableKeys::area, name())
          .required()
          .describe("subject, by which verdicts are counted; unique")
          .examples({"migration"}),
      key("title", &TableKeys::title, name()).required().describe("the area in one line"),
      key("sources", &TableKeys::sources, named("name of a source", verdict_source())).required(),
      key("bases", &TableKeys::bases,
          named("name of a base", as_written(whole_scenario_of_verdict())))
          .required()
          .describe("scenarios that verdicts change"),
      key("features", &TableKeys::features, named("name of a feature", list(placed(name()), 1)))
          .describe(
              "rules that make a feature unavailable that is not an operation, such as NVLink"),
      key("verdicts", &TableKeys::verdicts, list(placed(verdict_decoder()), 1)).required(),
  });
  return decoder;
}

bool is_error_code(const std::string& text) {
  return text.size() == 4 && text[0] == 'E' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> values_of(const std::vector<At<std::string>>& texts) {
  std::vector<std::string> values;
  for (const At<std::string>& text : texts) values.push_back(*text);
  return values;
}

/// Reads one file; verdicts one after the other, so that all errors come.
class TableReader {
 public:
  TableReader(const TableKeys& table, const vsphere::Rules& rules, Diagnostics& diagnostics)
      : table_(table), rules_(rules), diagnostics_(diagnostics) {}

  VerdictTable read() {
    VerdictTable result{table_.area, table_.title, {}};
    for (const auto& feature : table_.features) {
      for (const At<std::string>& rule : *feature) check_rule(rule);
    }
    std::set<std::string> ids;
    for (const At<VerdictKeys>& verdict : table_.verdicts) {
      if (!ids.insert(*verdict->id).second) {
        report(verdict->id, fmt::format("two verdicts have the id \"{}\"", *verdict->id));
      }
      result.verdicts.push_back(read(verdict));
    }
    return result;
  }

 private:
  template <class Place>
  void report(const Place& place, const std::string& message, const std::string& expected = {}) {
    topology::report(diagnostics_, place, message, expected);
  }

  ExpectedVerdict read(const At<VerdictKeys>& from) {
    check_expectation(*from);
    if (from->rule) check_rule(*from->rule);
    return {*from->id,
            from->claim,
            sources_of(*from),
            scenario_of(from),
            from->feature ? **from->feature : "",
            losses_of(*from),
            *from->expected == Expectation::kSupported,
            from->rule ? std::optional(**from->rule) : std::nullopt};
  }

  void check_expectation(const VerdictKeys& from) {
    const Expectation expected = *from.expected;
    if (expected == Expectation::kLost && !from.feature) {
      report(from.expected, "the lost feature is missing", "\"feature\", or refused");
    }
    if (expected == Expectation::kRefused && from.feature) {
      report(from.expected, "a feature is supported or lost", "lost");
    }
    if (expected == Expectation::kSupported && from.rule) {
      report(*from.rule, "a supported verdict has no rule");
    }
  }

  /// Rules that take the feature away: those of the table, or the one of an operation.
  std::vector<std::string> losses_of(const VerdictKeys& from) {
    if (!from.feature) return {};
    const std::string& name = **from.feature;
    for (const auto& feature : table_.features) {
      if (feature.name == name) return values_of(*feature);
    }
    const std::string rule = std::string(kLoss) + name;
    if (!rules_.contains(rule)) {
      topology::report_unknown(*from.feature, "operation or feature", features(), diagnostics_);
    }
    return {rule};
  }

  std::vector<std::string> features() const {
    std::vector<std::string> all;
    for (const auto& [id, rule] : rules_) {
      if (id.starts_with(kLoss)) all.push_back(id.substr(kLoss.size()));
    }
    for (const auto& feature : table_.features) all.push_back(feature.name);
    return all;
  }

  void check_rule(const At<std::string>& rule) {
    if (!is_error_code(*rule)) (void)topology::look_up(rules_, rule, "rule", diagnostics_);
  }

  /// Their titles, dates and addresses.
  std::string sources_of(const VerdictKeys& from) {
    std::vector<std::string> texts;
    bool is_recalled = true;
    for (const At<std::string>& name : from.sources) {
      const SourceKeys* source = entry_of(table_.sources, name, "source");
      if (source == nullptr) return {};
      is_recalled = is_recalled && source->is_recalled;
      texts.push_back(fmt::format("{} ({}), {}", source->title, source->date, source->address));
    }
    check_weight(from, is_recalled);
    return fmt::format("{}", fmt::join(texts, "; "));
  }

  /// Reports sources that are too weak or too few.
  void check_weight(const VerdictKeys& from, bool is_recalled) {
    if (is_recalled && *from.expected != Expectation::kSupported) {
      report(from.expected, "a refusal or loss with recall as its only source",
             "a source that was read, or \"supported\"");
    }
    const auto names = values_of(from.sources);
    if (*from.combined && std::set<std::string>(names.begin(), names.end()).size() < 2) {
      report(from.combined, "a combined verdict has several sources");
    }
  }

  scenario::Document scenario_of(const At<VerdictKeys>& from) {
    const Value* base = entry_of(table_.bases, from->base, "base");
    if (base == nullptr) return {};
    const Value scenario = from->change ? merge_patch(*base, *from->change) : *base;
    Diagnostics found;
    check(scenario, whole_scenario_of_verdict(), found);
    diagnostics_.append(found);
    if (const auto layouts = find(*base, "layouts")) {
      report(*layouts, "a verdict is on one layout", "no \"layouts\"");
    }
    return scenario;
  }

  template <class T>
  const T* entry_of(const std::vector<Named<T>>& entries, const At<std::string>& name,
                    const std::string& what) {
    std::vector<std::string> known;
    for (const Named<T>& each : entries) {
      if (each.name == *name) return &each.value;
      known.push_back(each.name);
    }
    topology::report_unknown(name, what, known, diagnostics_);
    return nullptr;
  }

  const TableKeys& table_;
  const vsphere::Rules& rules_;
  Diagnostics& diagnostics_;
};

}  // namespace

Shape verdict_table_shape() { return table_decoder().shape; }

tl::expected<VerdictTable, Diagnostics> read_verdict_table(const SourcePtr& file,
                                                           const vsphere::Rules& rules) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, table_decoder().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const TableKeys keys = table_decoder().read(*document, diagnostics);
  VerdictTable table = TableReader(keys, rules, diagnostics).read();
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return table;
}

}  // namespace vgsim::scoring
