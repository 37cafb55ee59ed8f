#include <fmt/core.h>

#include <functional>
#include <set>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using Words = std::function<std::string(const LayoutResult&)>;

/// "4 rings of 16 hops (8 over NVLink, 8 over the network)".
std::string rings_words(const LayoutResult& layout) {
  if (layout.channels == 0) return "a single GPU";
  std::string hops;
  for (const auto& [transport, count] : layout.hops_by_transport) {
    hops += fmt::format("{}{} over {}", hops.empty() ? "" : ", ", count, transport);
  }
  return fmt::format("{} of {} ({})", text::plural(layout.channels, "ring"),
                     text::plural(layout.ranks, "hop"), hops);
}

std::string gradients_words(const LayoutResult& layout) {
  const auto& training = *layout.training;
  const std::string bytes = text::bytes_text(training.gradient_bytes);
  return training.buckets == 0
             ? bytes
             : fmt::format("{} in {}", bytes, text::plural(training.buckets, "bucket"));
}

/// "Ring Simple", "4 x Ring Simple, Tree LL128".
std::string algorithms_words(const LayoutResult& layout) {
  const auto& algorithms = layout.training->algorithms;
  std::string text;
  for (const auto& [algorithm, buckets] : algorithms) {
    if (!text.empty()) text += ", ";
    if (algorithms.size() > 1 && buckets > 1) text += fmt::format("{} x ", buckets);
    text += algorithm;
  }
  return text.empty() ? "-" : text;
}

Table exchanges_table(const std::vector<const LayoutResult*>& layouts) {
  Table table;
  table.columns.push_back({"", false});
  std::set<std::string> kinds;
  bool chooses = false;
  for (const LayoutResult* layout : layouts) {
    table.columns.push_back({layout->name, true});
    chooses |= !layout->training->algorithms.empty();
    for (const auto& [kind, bytes] : layout->training->gradient_bytes_by_kind) kinds.insert(kind);
  }
  const auto row = [&](const std::string& label, const Words& words) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(label);
    for (const LayoutResult* layout : layouts) cells.push_back(words(*layout));
  };
  row("gradients of one GPU", gradients_words);
  if (chooses) row("AllReduce by", algorithms_words);
  for (const std::string& kind : kinds) {
    row(fmt::format("over {} links", kind), [&](const LayoutResult& layout) {
      const auto& bytes = layout.training->gradient_bytes_by_kind;
      const auto found = bytes.find(kind);
      return found == bytes.end() ? std::string("-") : text::bytes_text(found->second);
    });
  }
  return table;
}

/// The rings of each layout; equal ones once.
std::vector<std::string> rings(const std::vector<const LayoutResult*>& layouts) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const LayoutResult* layout : layouts) {
    const std::string words = rings_words(*layout);
    if (found.empty() || found.back().first != words) found.push_back({words, {}});
    found.back().second.push_back(layout->name);
  }
  std::vector<std::string> lines;
  for (const auto& [words, names] : found) {
    lines.push_back(found.size() == 1 ? words : fmt::format("{}: {}", listed(names), words));
  }
  return lines;
}

}  // namespace

std::optional<Section> exchanges_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult* layout : simulated(report)) {
    if (layout->training && layout->ranks > 1) layouts.push_back(layout);
  }
  if (layouts.empty()) return std::nullopt;
  return Section{"exchanges",
                 "Communication",
                 fmt::format("Each GPU of {} has {} of gradients", named(*layouts.front()),
                             gradients_words(*layouts.front())),
                 {exchanges_table(layouts), List{rings(layouts)}}};
}

}  // namespace vgsim::report
