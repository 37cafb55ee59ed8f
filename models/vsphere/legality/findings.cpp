#include "models/vsphere/legality/findings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vgsim::vsphere {

void Findings::add(std::string_view rule, const std::string& subject, std::string text,
                   std::optional<OperationAnswer> operation) {
  const auto found = rules_->find(rule);
  if (found == rules_->end()) throw std::out_of_range(fmt::format("no rule \"{}\"", rule));
  const Citation& source = found->second.sources.front();
  const bool is_waived = any_support_ && found->second.is_support;
  const Verdict verdict = is_waived ? Verdict::kWarning : found->second.verdict;
  Finding finding{found->first,
                  verdict,
                  subject,
                  std::move(text),
                  found->second.remedy,
                  source.url.empty() ? source.title : source.url,
                  found->second.evidence,
                  std::move(operation)};
  if (std::find(all_.begin(), all_.end(), finding) == all_.end())
    all_.push_back(std::move(finding));
}

}  // namespace vgsim::vsphere
