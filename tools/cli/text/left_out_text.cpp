#include "tools/cli/text/left_out_text.hpp"

#include <fmt/format.h>

#include <map>

namespace vgsim::cli {

std::string left_out_text(const std::vector<calibration::LeftOut>& left_out) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& each : left_out) by_reason[each.why].push_back(each.what);
  std::string text;
  for (const auto& [why, whats] : by_reason) {
    text += fmt::format("left out: {}{}: {}\n", whats.front(),
                        whats.size() > 1 ? fmt::format(" and {} more", whats.size() - 1) : "", why);
  }
  return text;
}

}  // namespace vgsim::cli
