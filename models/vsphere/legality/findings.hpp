#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/rules.hpp"

namespace vgsim::vsphere {

/// A rule that bites in a layout.
struct Finding {
  std::string rule;  ///< its id
  Verdict verdict = Verdict::kNote;
  std::string subject;  ///< the VM's name
  std::string text;     ///< in words, without the subject
  std::string remedy;
  std::string source;  ///< of the rule
  Standing standing;   ///< of the rule

  bool operator==(const Finding&) const = default;
};

/// Findings of a layout, in the order in which they were made.
class Findings {
 public:
  /// The rules must outlive it.
  explicit Findings(const Rules& rules) : rules_(&rules) {}

  /// Throws std::out_of_range for a rule that is not listed. The same is not added twice.
  void add(std::string_view rule, const std::string& subject, std::string text);

  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }

 private:
  const Rules* rules_;
  std::vector<Finding> all_;
};

}  // namespace vgsim::vsphere
