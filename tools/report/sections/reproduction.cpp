#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "sim/fingerprint.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

constexpr std::size_t kLongestListing = 60'000;  ///< bytes; a larger JSON is in the page only once

std::string digest_of(const std::string& text) {
  Fingerprint print;
  for (const char c : text) print.add(static_cast<unsigned char>(c));
  return fingerprint_text(print.value());
}

void add_fingerprints(const Report& report, Table& table) {
  for (const auto& layout : report.result.layouts) {
    if (layout.fingerprint.empty()) continue;
    table.rows.push_back(
        {"fingerprint of " + layout.name,
         fmt::format("{} ({})", layout.fingerprint, text::plural(layout.events, "event"))});
  }
}

Table facts_table(const Report& report) {
  const scenario::Manifest& manifest = report.manifest;
  Table table{{{"", false}, {"", false}}, {}, Narrow::kStacks};
  table.rows.push_back({"vgsim", manifest.version});
  table.rows.push_back({"scenario", manifest.scenario_file});
  table.rows.push_back({"digest of the scenario", digest_of(manifest.document.canonical())});
  for (const auto& [path, text] : manifest.files) {
    table.rows.push_back({"digest of " + path, digest_of(text)});
  }
  for (const std::string& setting : manifest.settings) table.rows.push_back({"set", setting});
  if (manifest.seed) table.rows.push_back({"seed", std::to_string(*manifest.seed)});
  add_fingerprints(report, table);
  return table;
}

}  // namespace

std::optional<Section> reproduction_section(const Report& report) {
  Table fingerprints{{{"", false}, {"", false}}, {}};
  add_fingerprints(report, fingerprints);
  if (report.command.empty()) {
    if (fingerprints.rows.empty()) return std::nullopt;
    return Section{"reproduction",
                   "Reproduction",
                   "The same scenario gives the same results",
                   {std::move(fingerprints)}};
  }
  Section section{"reproduction",
                  "Reproduction",
                  "The same command gives the same bytes where its files are",
                  {}};
  section.blocks.emplace_back(Listing{"Command", report.command, true});
  section.blocks.emplace_back(facts_table(report));
  const std::string json = scenario::to_ordered_json(report.manifest.document).dump(2);
  if (json.size() <= kLongestListing) {
    section.blocks.emplace_back(Listing{"Scenario as JSON", json, false});
  } else {
    section.blocks.emplace_back(Paragraph{
        fmt::format("The scenario as JSON ({}) is in the element \"scenario\" of this file.",
                    text::bytes_text(static_cast<double>(json.size()))),
        true});
  }
  return section;
}

}  // namespace vgsim::report
