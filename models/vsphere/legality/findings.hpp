#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/rules.hpp"
#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

/// Whether an operation on a VM is available.
struct OperationAnswer {
  Operation operation = Operation::kVmotion;
  bool is_available = true;
  std::string why;  ///< the reason, or the condition under which it is available

  bool operator==(const OperationAnswer&) const = default;
};

/// A rule that applies in a layout.
struct Finding {
  std::string rule;  ///< its id
  Verdict verdict = Verdict::kNote;
  std::string subject;  ///< the VM's name
  std::string text;     ///< in words, without the subject
  std::string remedy;
  std::string source;                          ///< of the rule
  Evidence evidence;                           ///< of the rule
  std::optional<OperationAnswer> operation{};  ///< that the rule is about

  bool operator==(const Finding&) const = default;
};

/// Findings of a layout, in the order in which they were made.
class Findings {
 public:
  /// The rules must outlive it. With `any_support` rules that only state what a vendor supports
  /// (Rule::is_support) do not refuse.
  explicit Findings(const Rules& rules, bool any_support = false)
      : rules_(&rules), any_support_(any_support) {}

  /// Throws std::out_of_range for a rule that is not listed. The same is not added twice.
  void add(std::string_view rule, const std::string& subject, std::string text,
           std::optional<OperationAnswer> operation = std::nullopt);

  [[nodiscard]] const std::vector<Finding>& all() const { return all_; }

 private:
  const Rules* rules_;
  bool any_support_;
  std::vector<Finding> all_;
};

}  // namespace vgsim::vsphere
