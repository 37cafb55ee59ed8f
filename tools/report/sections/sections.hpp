#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/report/page.hpp"
#include "tools/report/report.hpp"

namespace vgsim::report {

/// Subject line of the page.
[[nodiscard]] std::string subject_of(const Report& report);
[[nodiscard]] std::vector<std::string> verdict_of(const Report& report);
[[nodiscard]] std::string knowledge_of(const Report& report);

/// The sections of the page; nothing if a section would be empty.
[[nodiscard]] std::optional<Section> summary_section(const Report& report);
[[nodiscard]] std::optional<Section> decisive_section(const Report& report);
[[nodiscard]] std::optional<Section> layouts_section(const Report& report);
[[nodiscard]] std::optional<Section> machines_given_section(const Report& report);
[[nodiscard]] std::optional<Section> breakdown_section(const Report& report);
[[nodiscard]] std::optional<Section> limits_section(const Report& report);
[[nodiscard]] std::optional<Section> differences_section(const Report& report);
[[nodiscard]] std::optional<Section> findings_section(const Report& report);
[[nodiscard]] std::optional<Section> help_section(const Report& report);
[[nodiscard]] std::optional<Section> sizes_section(const Report& report);
[[nodiscard]] std::optional<Section> exchanges_section(const Report& report);
[[nodiscard]] std::optional<Section> cores_section(const Report& report);
[[nodiscard]] std::optional<Section> jobs_section(const Report& report);
[[nodiscard]] std::optional<Section> stops_section(const Report& report);
[[nodiscard]] std::optional<Section> machines_section(const Report& report);
[[nodiscard]] std::optional<Section> iteration_section(const Report& report);
[[nodiscard]] std::optional<Section> bandwidth_section(const Report& report);
[[nodiscard]] std::optional<Section> roofline_section(const Report& report);
[[nodiscard]] std::optional<Section> sensitivity_section(const Report& report);
[[nodiscard]] std::optional<Section> scaling_section(const Report& report);
[[nodiscard]] std::optional<Section> memory_section(const Report& report);
[[nodiscard]] std::optional<Section> inputs_section(const Report& report);
[[nodiscard]] std::optional<Section> reproduction_section(const Report& report);

}  // namespace vgsim::report
