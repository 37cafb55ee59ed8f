#include "tools/report/report.hpp"

#include <fmt/core.h>

#include <array>
#include <nlohmann/json.hpp>

#include "tools/report/sections/sections.hpp"

namespace vgsim::report {

Page page_of(const Report& report) {
  constexpr std::array kSections{&layouts_section,     &breakdown_section, &limits_section,
                                 &help_section,        &machines_section,  &iteration_section,
                                 &bandwidth_section,   &roofline_section,  &sensitivity_section,
                                 &scaling_section,     &memory_section,    &inputs_section,
                                 &reproduction_section};
  Page page;
  page.title = report.result.name;
  page.subject = subject_of(report);
  page.verdict = verdict_of(report);
  page.knowledge = knowledge_of(report);
  for (const auto& section : kSections) {
    if (auto made = section(report)) page.sections.push_back(std::move(*made));
  }
  page.json = scenario::to_ordered_json(report.manifest.document).dump();
  page.made_by = fmt::format("vgsim {}", report.manifest.version);
  return page;
}

}  // namespace vgsim::report
