#include "models/questions/check/finding.hpp"

#include <fmt/format.h>

namespace vgsim::scenario {

const char* to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::kExpectation:
      return "expectation";
    case FindingKind::kDrift:
      return "drift";
    case FindingKind::kNote:
      return "note";
  }
  return "";
}

std::string message_of(const Finding& finding) {
  const std::string words = finding.words.empty() ? "" : fmt::format(", {}", finding.words);
  if (finding.kind == FindingKind::kExpectation) {
    return fmt::format("{}: expected {}, is {}{}", finding.figure, finding.expected, finding.found,
                       words);
  }
  if (finding.expected.empty()) {
    return fmt::format("{}: {}{}", finding.figure, finding.found, words);
  }
  return fmt::format("{} {} -> {}{}", finding.figure, finding.expected, finding.found, words);
}

}  // namespace vgsim::scenario
