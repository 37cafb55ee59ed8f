#include "tools/report/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "tools/report/sections/sections.hpp"
#include "tools/report/svg.hpp"

namespace vgsim::report {
namespace {

using MakeSection = std::optional<Section> (*)(const Report&);

void add_sections(const Report& report, std::span<const MakeSection> sections, Page& page) {
  for (const MakeSection section : sections) {
    auto made = section(report);
    const bool known = made && std::any_of(page.sections.begin(), page.sections.end(),
                                           [&](const Section& s) { return s.id == made->id; });
    if (made && !known) page.sections.push_back(std::move(*made));
  }
}

Page page_with(const Report& report, std::span<const MakeSection> sections) {
  Page page;
  page.title = report.result.name;
  page.subject = subject_of(report);
  add_sections(report, sections, page);
  return page;
}

/// Height of the first drawing of a section, in its units; 0 if there is none.
double picture_height(const std::optional<Section>& section) {
  if (!section || section->blocks.empty()) return 0;
  const auto* figure = std::get_if<Figure>(&section->blocks.front());
  return figure == nullptr ? 0 : height_of(figure->wide);
}

/// One sheet of paper: the table, its pictures and the assumptions that decide. The picture of the
/// hosts is on it where both pictures stay legible.
std::vector<MakeSection> first_sheet(const Report& report) {
  const double room = report.result.layouts.size() == 1 ? 600 : 420;
  const double bars = picture_height(breakdown_section(report));
  std::vector<MakeSection> sections{&summary_section};
  sections.push_back(bars > 0 ? &breakdown_section : &bandwidth_section);
  if (bars > 0 && bars + picture_height(machines_section(report)) <= room) {
    sections.push_back(&machines_section);
  }
  sections.push_back(&decisive_section);
  return sections;
}

}  // namespace

Page page_of(const Report& report) {
  constexpr std::array<MakeSection, 20> kSections{
      &layouts_section,   &breakdown_section, &limits_section,   &differences_section,
      &findings_section,  &help_section,      &sizes_section,    &exchanges_section,
      &cores_section,     &jobs_section,      &stops_section,    &machines_section,
      &iteration_section, &bandwidth_section, &roofline_section, &sensitivity_section,
      &scaling_section,   &memory_section,    &inputs_section,   &reproduction_section};
  Page page = page_with(report, first_sheet(report));
  for (Section& section : page.sections) section.on_first_sheet = true;
  add_sections(report, kSections, page);
  page.verdict = verdict_of(report);
  page.knowledge = knowledge_of(report);
  page.json = scenario::to_ordered_json(report.manifest.document).dump();
  page.made_by = fmt::format("vgsim {}", report.manifest.version);
  return page;
}

Page validation_page(const Report& report) {
  constexpr std::array<MakeSection, 3> kSections{&machines_given_section, &findings_section,
                                                 &inputs_section};
  return page_with(report, kSections);
}

}  // namespace vgsim::report
