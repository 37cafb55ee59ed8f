#include "models/questions/read/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/questions/check/result_fingerprint.hpp"
#include "models/questions/read/document_values.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using SortedJson = nlohmann::json;  // keys in order

constexpr const char* kBaselineFormat = "vgsim.baseline/1";

/// Inputs with different values in several layouts list all of them.
std::map<std::string, std::string> inputs_of(const ScenarioResult& result) {
  std::map<std::string, std::vector<std::string>> values;
  for (const LayoutResult& layout : result.layouts) {
    for (const UsedInput& used : layout.inputs) {
      auto& known = values[used.name];
      if (std::find(known.begin(), known.end(), used.value) == known.end()) {
        known.push_back(used.value);
      }
    }
  }
  std::map<std::string, std::string> inputs;
  for (const auto& [name, all] : values) {
    inputs[name] = fmt::format("{}", fmt::join(all, "; "));
  }
  return inputs;
}

BaselineLayout baseline_of(const LayoutFigures& layout) {
  BaselineLayout kept{layout.refused, layout.rules, layout.bottleneck, layout.fingerprint, {}, {}};
  for (const Metric& metric : layout.metrics) {
    kept.figures[metric.name] = to_twelve_digits(metric.value);
    if (metric.low && metric.high) {
      kept.intervals[metric.name] = {to_twelve_digits(*metric.low), to_twelve_digits(*metric.high)};
    }
  }
  return kept;
}

SortedJson layout_json(const BaselineLayout& layout) {
  SortedJson out{{"refused", layout.refused}, {"rules", layout.rules}};
  if (layout.refused) return out;
  out["bottleneck"] = layout.bottleneck;
  out["fingerprint"] = layout.fingerprint;
  out["figures"] = layout.figures;
  if (!layout.intervals.empty()) out["intervals"] = layout.intervals;
  return out;
}

Shape layout_shape_of_baseline() {
  return object_shape({
      field("refused", boolean_shape()).required(),
      field("rules", array_shape(name_shape())).required().describe("ids of the rules that apply"),
      field("bottleneck", name_shape()).describe("the bottleneck: a kind of link, GPUs, latency"),
      field("fingerprint", string_shape()).describe("of all numbers of the result"),
      field("figures", map_shape("name of a figure", number_shape())),
      field("intervals", map_shape("name of a figure", array_shape(number_shape(), 2, 2)))
          .describe("limits of the 90 % interval"),
  });
}

std::map<std::string, std::string> read_texts(const Value& value) {
  std::map<std::string, std::string> texts;
  for (const Member& each : value.members()) texts[each.name] = each.value.string();
  return texts;
}

BaselineLayout read_layout(const Value& value) {
  BaselineLayout layout;
  layout.refused = as_bool(*find(value, "refused"));
  for (const Value& rule : find(value, "rules")->elements()) layout.rules.push_back(rule.string());
  if (const auto kind = find(value, "bottleneck")) layout.bottleneck = kind->string();
  if (const auto text = find(value, "fingerprint")) layout.fingerprint = text->string();
  if (const auto figures = find(value, "figures")) {
    for (const Member& each : figures->members()) {
      layout.figures[each.name] = as_double(each.value);
    }
  }
  if (const auto intervals = find(value, "intervals")) {
    for (const Member& each : intervals->members()) {
      const auto& ends = each.value.elements();
      layout.intervals[each.name] = {as_double(ends[0]), as_double(ends[1])};
    }
  }
  return layout;
}

}  // namespace

Baseline baseline_of(const ScenarioResult& result, const std::vector<LayoutFigures>& layouts,
                     const Document& document) {
  Baseline baseline{result.name,
                    simulated_fingerprint(document),
                    simulated_values(document),
                    inputs_of(result),
                    {}};
  for (const LayoutFigures& layout : layouts) baseline.layouts[layout.name] = baseline_of(layout);
  return baseline;
}

std::string to_json(const Baseline& baseline) {
  SortedJson layouts = SortedJson::object();
  for (const auto& [name, layout] : baseline.layouts) layouts[name] = layout_json(layout);
  const SortedJson out{{"schema", kBaselineFormat},     {"scenario", baseline.scenario},
                       {"document", baseline.document}, {"inputs", baseline.inputs},
                       {"layouts", std::move(layouts)}, {"values", baseline.values}};
  return out.dump(1, ' ', false, SortedJson::error_handler_t::replace) + "\n";
}

Shape baseline_shape() {
  return object_shape({
      field("schema", enum_shape({kBaselineFormat})).required(),
      field("scenario", name_shape()).required().describe("its name"),
      field("document", string_shape()).required().describe("fingerprint of what is simulated"),
      field("inputs", map_shape("name of a constant", string_shape()))
          .required()
          .describe("constants used by the result"),
      field("values", map_shape("JSON pointer", string_shape()))
          .describe("the simulated scenario, key by key, or by groups of keys if it is large"),
      field("layouts", map_shape("name of a layout", layout_shape_of_baseline())).required(),
  });
}

tl::expected<Baseline, Diagnostics> read_baseline(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, baseline_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Baseline baseline;
  baseline.scenario = find(*document, "scenario")->string();
  baseline.document = find(*document, "document")->string();
  baseline.inputs = read_texts(*find(*document, "inputs"));
  if (const auto values = find(*document, "values")) baseline.values = read_texts(*values);
  for (const Member& each : find(*document, "layouts")->members()) {
    baseline.layouts[each.name] = read_layout(each.value);
  }
  return baseline;
}

}  // namespace vgsim::scenario
