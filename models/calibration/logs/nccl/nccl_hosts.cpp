#include "models/calibration/logs/nccl/nccl_hosts.hpp"

#include <algorithm>
#include <unordered_set>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_line.hpp"

namespace vgsim::calibration::logs {
namespace {

/// Further names of one process are ignored.
constexpr std::size_t kMostHostNames = 64;

bool is_end_of_other(std::string_view a, std::string_view b) {
  return a.ends_with(b) || b.ends_with(a);
}

}  // namespace

NcclProcess process_in(std::string_view thread) {
  const std::string_view host = host_in(thread);
  if (host.empty()) return {};
  const std::size_t tid = thread.rfind(':');
  const std::size_t pid = thread.rfind(':', tid - 1);
  return {printable_text(host), printable_text(thread.substr(pid + 1, tid - pid - 1))};
}

void NcclHosts::note(const NcclProcess& process) {
  if (process.host.empty()) return;
  std::vector<Name>& names = names_[process.pid];
  const auto known =
      std::ranges::find_if(names, [&](const Name& name) { return name.host == process.host; });
  if (known != names.end()) {
    ++known->times;
  } else if (names.size() < kMostHostNames) {
    names.push_back({process.host, 1});
    order_.push_back(process);
  }
}

/// Host names are truncated or have additional text if lines were mixed. Among the names seen with
/// a process id, the most frequent one that ends like this one is used.
const std::string& NcclHosts::meant(const NcclProcess& process) const {
  const auto names = names_.find(process.pid);
  if (process.host.empty() || names == names_.end()) return process.host;
  const Name* best = nullptr;
  for (const Name& name : names->second) {
    if (!is_end_of_other(name.host, process.host)) continue;
    if (best == nullptr || name.times > best->times) best = &name;
  }
  return best == nullptr ? process.host : best->host;
}

std::vector<std::string> NcclHosts::names() const {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (const NcclProcess& process : order_) {
    const std::string& host = meant(process);
    if (known.insert(host).second) names.push_back(host);
  }
  return names;
}

}  // namespace vgsim::calibration::logs
