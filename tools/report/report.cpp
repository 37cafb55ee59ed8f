#include "tools/report/report.hpp"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "tools/report/sections/sections.hpp"

namespace vgsim::report {
namespace {

using MakeSection = std::optional<Section> (*)(const Report&);

Page page_with(const Report& report, std::span<const MakeSection> sections) {
  Page page;
  page.title = report.result.name;
  page.subject = subject_of(report);
  for (const MakeSection section : sections) {
    if (auto made = section(report)) page.sections.push_back(std::move(*made));
  }
  return page;
}

}  // namespace

Page page_of(const Report& report) {
  constexpr std::array<MakeSection, 20> kSections{
      &layouts_section,   &breakdown_section, &limits_section,   &differences_section,
      &findings_section,  &help_section,      &sizes_section,    &exchanges_section,
      &cores_section,     &jobs_section,      &stops_section,    &machines_section,
      &iteration_section, &bandwidth_section, &roofline_section, &sensitivity_section,
      &scaling_section,   &memory_section,    &inputs_section,   &reproduction_section};
  Page page = page_with(report, kSections);
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
