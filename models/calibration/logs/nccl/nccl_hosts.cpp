#include "models/calibration/logs/nccl/nccl_hosts.hpp"

#include <algorithm>
#include <unordered_set>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_line.hpp"

namespace vgsim::calibration::logs {
namespace {

/// Names of one process beyond this cannot be meant.
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
  return {told_text(host), told_text(thread.substr(pid + 1, tid - pid - 1))};
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

/// Names of hosts are cut or have text glued to them where lines ran into each other. Of the names
/// that a process id was seen with, the most frequent one that ends like this one is meant.
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
