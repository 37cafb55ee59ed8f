#include "topology/importers/lspci/lspci_buses.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kDeepestBus = 32;

using Bus = std::pair<std::int64_t, std::int64_t>;  // domain and number

/// A flat list of functions contains the tree: a bridge states the range of buses below it, and
/// ranges nest, so the innermost bridge that covers a bus is its parent. Other buses are root
/// buses. Virtual functions are identified by the routing ids that SR-IOV capabilities define.
class BusForest {
 public:
  BusForest(std::vector<LspciRecord> records, const FileNotes& notes, input::Diagnostics& errors)
      : records_(std::move(records)), notes_(notes), errors_(errors) {}

  std::vector<RootBus> grow();

 private:
  void find_virtual_functions();
  void find_bridges();
  [[nodiscard]] std::optional<std::size_t> bridge_to(const Bus& bus) const;
  PciFunction function_of(std::size_t index, std::size_t depth);

  std::vector<LspciRecord> records_;
  const FileNotes& notes_;
  input::Diagnostics& errors_;
  std::map<Bus, std::size_t> bridges_;       ///< by the first bus behind them
  std::set<std::string> virtual_functions_;  ///< bus ids of those that SR-IOV capabilities count
  std::map<Bus, std::vector<std::size_t>> functions_;
  std::map<std::size_t, std::vector<Bus>> buses_behind_;
};

void BusForest::find_virtual_functions() {
  for (const LspciRecord& owner : records_) {
    const auto& count = owner.device.virtual_functions;
    if (!count || !owner.vf_offset || owner.vf_stride.value_or(0) <= 0) continue;
    for (const LspciRecord& record : records_) {
      const std::int64_t distance = record.routing_id() - owner.routing_id() - *owner.vf_offset;
      if (record.domain == owner.domain && distance >= 0 && distance % *owner.vf_stride == 0 &&
          distance / *owner.vf_stride < count->value) {
        virtual_functions_.insert(record.device.bus_id);
      }
    }
  }
}

void BusForest::find_bridges() {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const LspciRecord& record = records_[i];
    if (record.behind) bridges_.emplace(Bus{record.domain, record.behind->secondary}, i);
  }
}

/// The last bridge whose buses begin at or before that bus: the innermost, since ranges nest.
std::optional<std::size_t> BusForest::bridge_to(const Bus& bus) const {
  for (auto next = bridges_.upper_bound(bus); next != bridges_.begin();) {
    --next;
    if (next->first.first != bus.first) break;
    if (records_[next->second].behind->subordinate >= bus.second) return next->second;
  }
  return std::nullopt;
}

PciFunction BusForest::function_of(std::size_t index, std::size_t depth) {
  LspciRecord& record = records_[index];
  PciFunction function;
  function.port = record.is_bridge ? record.port : PciePort::kNone;
  function.is_virtual = record.is_virtual || virtual_functions_.contains(record.device.bus_id);
  function.device = std::move(record.device);
  const auto behind = buses_behind_.find(index);
  if (behind == buses_behind_.end()) return function;
  if (depth == kDeepestBus) {
    errors_.error(import_codes::kTooMuch.code, notes_.at(record.offset), "",
                  "more than 32 PCI bridges above each other", "the dump of one host");
    return function;
  }
  for (const Bus& bus : behind->second) {
    for (const std::size_t next : functions_[bus]) {
      function.below.push_back(function_of(next, depth + 1));
    }
  }
  return function;
}

std::vector<RootBus> BusForest::grow() {
  find_virtual_functions();
  find_bridges();
  std::vector<Bus> roots;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const Bus bus{records_[i].domain, records_[i].bus};
    std::vector<std::size_t>& functions = functions_[bus];
    functions.push_back(i);
    if (functions.size() > 1) continue;
    if (const auto bridge = bridge_to(bus)) {
      buses_behind_[*bridge].push_back(bus);
    } else {
      roots.push_back(bus);
    }
  }
  std::vector<RootBus> found;
  for (const Bus& bus : roots) {
    RootBus root{fmt::format("{:04x}:{:02x}", bus.first, bus.second), {}};
    for (const std::size_t index : functions_[bus]) root.functions.push_back(function_of(index, 1));
    found.push_back(std::move(root));
  }
  return found;
}

}  // namespace

std::vector<RootBus> root_buses_of(std::vector<LspciRecord> records, const FileNotes& notes,
                                   input::Diagnostics& errors) {
  return BusForest(std::move(records), notes, errors).grow();
}

}  // namespace vgsim::topology
