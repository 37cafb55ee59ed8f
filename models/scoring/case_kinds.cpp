#include <algorithm>
#include <stdexcept>

#include "models/scoring/case_kind.hpp"

namespace vgsim::scoring {

// Each row is defined in the file of its name in kinds/.
CaseKind collective_cases();
CaseKind training_cases();
CaseKind virtual_cases();
CaseKind kernel_tables();
CaseKind verdict_tables();

const std::vector<CaseKind>& case_kinds() {
  static const std::vector<CaseKind> table = {collective_cases(), training_cases(), virtual_cases(),
                                              kernel_tables(), verdict_tables()};
  return table;
}

const CaseKind& case_kind(const std::string& name) {
  const auto found = std::find_if(case_kinds().begin(), case_kinds().end(),
                                  [&](const CaseKind& kind) { return kind.name == name; });
  if (found == case_kinds().end()) throw std::out_of_range("unknown kind of case \"" + name + "\"");
  return *found;
}

}  // namespace vgsim::scoring
