#include "models/scenario/run/used_input.hpp"

#include <fmt/core.h>

namespace vgsim::scenario {

const char* to_string(Knowledge knowledge) {
  switch (knowledge) {
    case Knowledge::kMeasured:
      return "measured";
    case Knowledge::kFitted:
      return "fitted";
    case Knowledge::kDocumented:
      return "documented";
    case Knowledge::kAssumed:
      return "assumed";
  }
  return "";
}

Knowledge knowledge_of(const std::string& evidence) {
  if (evidence == "measured") return Knowledge::kMeasured;
  if (evidence == "fitted") return Knowledge::kFitted;
  if (evidence == "datasheet" || evidence == "documentation" || evidence == "documented" ||
      evidence == "derived") {
    return Knowledge::kDocumented;
  }
  return Knowledge::kAssumed;
}

KnowledgeCount count_knowledge(const std::vector<UsedInput>& inputs) {
  KnowledgeCount count;
  for (const UsedInput& input : inputs) {
    switch (input.knowledge) {
      case Knowledge::kMeasured:
        ++count.measured;
        break;
      case Knowledge::kFitted:
        ++count.fitted;
        break;
      case Knowledge::kDocumented:
        ++count.documented;
        break;
      case Knowledge::kAssumed:
        ++count.assumed;
        break;
    }
  }
  return count;
}

std::string to_string(const KnowledgeCount& count) {
  return fmt::format("{} measured, {} fitted, {} documented, {} assumed", count.measured,
                     count.fitted, count.documented, count.assumed);
}

}  // namespace vgsim::scenario
