#include "topology/hosts/described_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "topology/catalog/lane_use.hpp"
#include "topology/look_up.hpp"

namespace vgsim::topology {
namespace {

using input::Diagnostics;

constexpr const char* kScenario = "scenario";

/// Reads one description. After an error the remaining steps still run, to report all errors.
class DescribedServer {
 public:
  DescribedServer(const ServerSpec& spec, const Catalog& catalog, Diagnostics& diagnostics)
      : spec_(spec), catalog_(catalog), diagnostics_(diagnostics) {}

  ServerModel read() {
    server_.name = spec_.name.value_or("server of the scenario");
    read_cpu();
    read_root_complexes();
    read_switches();
    for (const auto& slots : spec_.gpu_slots) {
      for (std::int64_t i = 0; i < slots->count; ++i) {
        if (auto place = placed(*slots, slots.origin)) server_.gpu_slots.push_back(*place);
      }
    }
    for (const auto& slot : spec_.nic_slots) {
      if (auto place = placed(*slot, slot.origin)) server_.nic_slots.emplace(slot.name, *place);
    }
    if (spec_.nvme) server_.nvme = placed(**spec_.nvme, spec_.nvme->origin);
    check_lanes();
    return std::move(server_);
  }

 private:
  void read_cpu() {
    const input::At<CpuCount>& written = spec_.cpu;
    cpu_ = look_up_part(catalog_.cpus, catalog_, "cpus", {written->cpu, written.origin}, "cpu",
                        diagnostics_);
    if (cpu_ != nullptr) server_.cpu = {cpu_->id, kScenario};
    server_.sockets = written->count;
  }

  void read_root_complexes() {
    for (const auto& complex : spec_.root_complexes) {
      if (complex->socket < server_.sockets) {
        server_.root_complexes.emplace(complex.name, *complex);
      } else {
        report(diagnostics_, complex.origin, fmt::format("no socket {}", complex->socket),
               fmt::format("a socket from 0 to {}, as \"cpu\" counts", server_.sockets - 1));
      }
    }
  }

  /// Switches can be below each other in any order of names.
  void read_switches() {
    std::vector<const input::Named<SlotSpec>*> waiting;
    for (const auto& each : spec_.pcie_switches) {
      switch_names_.push_back(each.name);
      waiting.push_back(&each);
    }
    for (bool progress = true; progress;) {
      const auto left = std::stable_partition(waiting.begin(), waiting.end(), [&](const auto* at) {
        return is_switch((*at)->under) && !server_.pcie_switches.contains((*at)->under);
      });
      progress = left != waiting.end();
      for (auto each = left; each != waiting.end(); ++each) {
        if (auto place = placed(***each, (*each)->origin)) {
          server_.pcie_switches.emplace((*each)->name, *std::move(place));
        } else {
          unplaced_ = true;
        }
      }
      waiting.erase(left, waiting.end());
    }
    if (unplaced_) return;
    for (const auto* each : waiting) {
      report(diagnostics_, each->origin,
             fmt::format("PCIe switch \"{}\" is below itself", each->name),
             "a root complex, a socket, or another switch above it");
    }
  }

  bool is_switch(const std::string& name) const {
    return std::find(switch_names_.begin(), switch_names_.end(), name) != switch_names_.end();
  }

  bool is_root_complex(const std::string& name) const {
    return std::any_of(spec_.root_complexes.begin(), spec_.root_complexes.end(),
                       [&](const auto& each) { return each.name == name; });
  }

  std::vector<std::string> socket_names() const {
    std::vector<std::string> names;
    for (std::int64_t i = 0; i < server_.sockets; ++i) names.push_back(fmt::format("socket{}", i));
    return names;
  }

  /// The link with the root complex or switch above it; if that does not exist, reports an error
  /// and returns nothing.
  std::optional<PcieAttachment> placed(const SlotSpec& slot, const input::Origin& at) {
    const std::string& under = slot.under;
    if (!catalog_.pcie.contains(slot.generation)) {
      std::vector<std::string> known;
      for (const auto& [generation, pcie] : catalog_.pcie) {
        known.push_back(fmt::format("gen{}", generation));
      }
      report(diagnostics_, at, fmt::format("PCIe Gen{} is not catalogued", slot.generation),
             fmt::format("one of: {}", fmt::join(known, ", ")));
      return std::nullopt;
    }
    const auto below = [&](std::string place) {
      return PcieAttachment{std::move(place), slot.generation, slot.lanes, kScenario};
    };
    if (is_switch(under) || is_root_complex(under)) return below(under);
    std::vector<std::string> known = socket_names();
    const auto socket = std::find(known.begin(), known.end(), under);
    if (socket != known.end()) return below(own_root_complex(socket - known.begin()));
    for (const auto& complex : spec_.root_complexes) known.push_back(complex.name);
    known.insert(known.end(), switch_names_.begin(), switch_names_.end());
    report_unknown({under, at}, "place", known, diagnostics_);
    return std::nullopt;
  }

  std::string own_root_complex(std::int64_t socket) {
    std::string name;
    do {
      name = fmt::format("rc{}", next_root_complex_++);
    } while (is_switch(name) || is_root_complex(name));
    server_.root_complexes.emplace(name, RootComplex{socket});
    return name;
  }

  void check_lanes() {
    if (cpu_ == nullptr) return;
    const std::vector<LaneUse> sockets = lane_use(server_, *cpu_);
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      const auto& [offered, taken] = sockets[i];
      if (offered == 0 || taken <= offered) continue;
      report(diagnostics_, spec_.cpu,
             fmt::format("slots, drives and PCIe switches use {} lanes of socket{}: {} has {}",
                         taken, i, cpu_->name, offered),
             "fewer or narrower slots, some of them below a PCIe switch, or on the other socket");
    }
  }

  const ServerSpec& spec_;
  const Catalog& catalog_;
  Diagnostics& diagnostics_;
  ServerModel server_;
  const CpuModel* cpu_ = nullptr;
  std::vector<std::string> switch_names_;
  std::int64_t next_root_complex_ = 0;
  bool unplaced_ = false;
};

}  // namespace

std::optional<ServerModel> described_server(const ServerSpec& spec, const Catalog& catalog,
                                            Diagnostics& diagnostics) {
  Diagnostics found;
  ServerModel server = DescribedServer(spec, catalog, found).read();
  diagnostics.append(found);
  return found.has_errors() ? std::nullopt : std::optional(std::move(server));
}

}  // namespace vgsim::topology
