#include "tools/cli/text/findings_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;
using scenario::Warning;
using vsphere::Verdict;

std::vector<std::string> lines_of(const LayoutResult& layout, Verdict verdict,
                                  const std::function<std::string(const Warning&)>& line) {
  std::vector<std::string> lines;
  for (const Warning& warning : layout.warnings) {
    if (warning.verdict != verdict) continue;
    const std::string text = line(warning);
    if (!text.empty()) lines.push_back(text);
  }
  return lines;
}

std::string short_line(const Warning& warning) {
  if (warning.rule.starts_with("loses-")) return {};
  const bool sure = warning.standing.confidence == "high";
  return fmt::format("{} [{}{}]", warning.text, warning.rule,
                     sure ? "" : ", confidence " + warning.standing.confidence);
}

std::string full_line(const Warning& warning) {
  if (warning.rule.starts_with("loses-")) return {};
  return fmt::format("{} [{}: {}]. To do: {}", warning.text, warning.rule,
                     vsphere::to_string(warning.standing), warning.remedy);
}

}  // namespace

std::string lists_text(const ScenarioResult& result, const char* title,
                       const std::function<std::vector<std::string>(const LayoutResult&)>& list) {
  const std::vector<std::string> first = list(result.layouts.front());
  const auto everywhere = [&](const std::string& line) {
    return std::all_of(result.layouts.begin(), result.layouts.end(), [&](const LayoutResult& l) {
      const auto lines = list(l);
      return std::find(lines.begin(), lines.end(), line) != lines.end();
    });
  };
  std::string text;
  for (const std::string& line : first) {
    if (everywhere(line)) text += "  " + wrap("- " + line, 4) + "\n";
  }
  for (const LayoutResult& layout : result.layouts) {
    for (const std::string& line : list(layout)) {
      if (!everywhere(line)) {
        text += "  " + wrap(fmt::format("- [{}] {}", layout.name, line), 4) + "\n";
      }
    }
  }
  return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

std::string warnings_text(const ScenarioResult& result) {
  const auto text = [&](Verdict verdict, const char* title) {
    return lists_text(result, title, [&](const LayoutResult& layout) {
      return lines_of(layout, verdict, &short_line);
    });
  };
  return text(Verdict::kRefused, "refused") + text(Verdict::kPrice, "warnings") +
         text(Verdict::kNote, "notes");
}

std::string verdicts_text(const ScenarioResult& result) {
  const auto text = [&](Verdict verdict, const char* title) {
    return lists_text(result, title, [&](const LayoutResult& layout) {
      return lines_of(layout, verdict, &full_line);
    });
  };
  return text(Verdict::kRefused, "refused") + text(Verdict::kPrice, "accepted at a price") +
         text(Verdict::kNote, "notes");
}

std::string operations_text(const ScenarioResult& result) {
  constexpr std::array<const char*, 5> kNames{"vmotion", "drs", "ha", "suspend", "snapshot"};
  Table table;
  table.add_row({"operations", "vMotion", "DRS", "HA", "suspend", "snapshot"});
  bool any = false;
  for (const LayoutResult& layout : result.layouts) {
    if (layout.is_bare_metal()) continue;
    any = true;
    std::vector<std::string> row{layout.name};
    for (const std::string name : kNames) {
      const bool lost =
          std::any_of(layout.warnings.begin(), layout.warnings.end(), [&](const Warning& warning) {
            return warning.rule == "loses-" + name || warning.rule == "no-" + name;
          });
      row.emplace_back(lost ? "no" : "yes");
    }
    table.add_row(std::move(row));
  }
  return any ? fmt::format("\n{}", table.text()) : std::string();
}

std::string verdict_word(const LayoutResult& layout) {
  if (!layout.refused) return "may run";
  const auto refusals =
      std::count_if(layout.warnings.begin(), layout.warnings.end(),
                    [](const Warning& warning) { return warning.verdict == Verdict::kRefused; });
  return fmt::format("refused ({})", plural(static_cast<std::size_t>(refusals), "reason"));
}

}  // namespace vgsim::cli
