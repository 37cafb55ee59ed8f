#include "models/scenario/run/used_input.hpp"

namespace vgsim::scenario {

const char* to_string(Knowledge knowledge) {
  switch (knowledge) {
    case Knowledge::kMeasured:
      return "measured";
    case Knowledge::kDatasheet:
      return "datasheet";
    case Knowledge::kGuessed:
      return "guessed";
  }
  return "";
}

Knowledge knowledge_of(const std::string& evidence) {
  if (evidence == "measured" || evidence == "fitted") return Knowledge::kMeasured;
  if (evidence == "datasheet" || evidence == "documentation" || evidence == "documented" ||
      evidence == "derived") {
    return Knowledge::kDatasheet;
  }
  return Knowledge::kGuessed;
}

KnowledgeCount count_knowledge(const std::vector<UsedInput>& inputs) {
  KnowledgeCount count;
  for (const UsedInput& input : inputs) {
    switch (input.knowledge) {
      case Knowledge::kMeasured:
        ++count.measured;
        break;
      case Knowledge::kDatasheet:
        ++count.datasheet;
        break;
      case Knowledge::kGuessed:
        ++count.guessed;
        break;
    }
  }
  return count;
}

}  // namespace vgsim::scenario
