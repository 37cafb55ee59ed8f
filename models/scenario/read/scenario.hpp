#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/job_spec.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "models/vsphere/spec/vm_spec.hpp"
#include "sim/units.hpp"
#include "topology/input/origin.hpp"
#include "topology/spec/fabric_spec.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::scenario {

/// A host of a layout.
struct LayoutHost {
  topology::HostSpec spec;
  vsphere::HostSettings settings;
  /// All that is said of it, the same for hosts of which the same is said; and so without its leaf.
  std::string said;
  std::string said_without_leaf;
};

/// A virtual machine of a layout.
struct LayoutVm {
  vsphere::VmSpec spec;
  std::string said;  ///< the same for VMs of which the same is said, but for their hosts
};

/// What makes equal ranks unequal.
struct VariabilitySpec {
  double compute_sigma{};  ///< of the logarithm of a rank's computing time in an iteration
  std::vector<input::Named<double>> stragglers;
  std::int64_t seed{};
};

/// A link that fails or slows down while the job runs.
struct FaultSpec {
  input::At<std::string> link;
  SimTime at{};
  std::optional<input::At<SimTime>> until;
  double share{};  ///< of the capacity that remains
};

/// What others on the same hosts move and compute all the time.
struct NeighbourSpec {
  input::At<std::string> host;  ///< a name or a pattern
  std::optional<std::vector<input::At<std::string>>> path;
  std::optional<BytesPerSecond> rate;
  std::optional<double> cores;
};

/// Of what a training job occupies, in a currency.
struct Prices {
  std::optional<std::string> currency;
  double gpu_hour{};
  double host_hour{};
  double licence_gpu_hour{};
  std::vector<input::Named<double>> parts;
  double kwh{};
  double pue{};  ///< energy of the data centre over that of its computers
};

/// How often parts fail; nothing for what is known of large clusters.
struct Reliability {
  std::optional<double> gpu_hours;   ///< of one GPU between failures
  std::optional<double> host_hours;  ///< of one host
  std::optional<SimTime> restart;
};

enum class DisruptionKind : std::uint8_t {
  kVmotion,      ///< the VM is moved while it runs
  kRestart,      ///< planned: a checkpoint is saved, the VM starts elsewhere and loads it
  kHostFailure,  ///< HA starts the VM elsewhere; work since the last checkpoint is done again
};

/// Something that stops one VM of a job, and so all of its ranks.
struct DisruptionSpec {
  DisruptionKind kind{};
  input::At<std::string> vm;
  SimTime at{};
};

/// How often hosts are taken down for patches and repairs, one after the other.
struct MaintenanceSpec {
  double per_month{};  ///< of each host
  SimTime lasts{};     ///< until the host can run VMs again
};

/// What real machines lose, taken away.
struct Idealised {
  bool zero_latency{};
  bool zero_overhead{};     ///< virtualization costs nothing but what it takes away
  bool ideal_computing{};   ///< GPUs do nothing but their operations, always alike
  bool unlimited_memory{};  ///< GPUs hold whatever a job keeps
  bool line_rate{};         ///< payload gets all of a link

  /// Whether data moves as arithmetic says.
  [[nodiscard]] bool ideal_links() const { return zero_latency && line_rate; }
  /// Whether nothing is left that a model estimates.
  [[nodiscard]] bool is_exact() const { return ideal_links() && zero_overhead && ideal_computing; }
};

template <class T>
using Shared = std::shared_ptr<const T>;

/// One variant of a scenario: all that its file says of it after the patch, as values.
struct Layout {
  std::string name;
  std::optional<input::At<std::string>> calibration;
  input::At<std::string> vsphere;  ///< version
  /// Those of a range share what they are.
  std::vector<input::Named<Shared<LayoutHost>>> hosts;
  std::optional<input::At<topology::FabricSpec>> fabric;
  std::vector<input::Named<Shared<LayoutVm>>> vms;
  /// All that is said of machines, hosts and VMs aside: the same for layouts of which the same is.
  std::string said_of_machines;
  input::At<JobSpec> job;
  VariabilitySpec variability;
  std::vector<FaultSpec> faults;
  std::vector<input::At<NeighbourSpec>> neighbours;
  std::optional<Prices> prices;
  std::optional<Reliability> reliability;
  std::vector<input::At<DisruptionSpec>> disruptions;
  std::optional<MaintenanceSpec> maintenance;
  Idealised idealised;
};

struct Scenario {
  std::string name;
  std::vector<Shared<Layout>> layouts;  ///< in file order
};

}  // namespace vgsim::scenario
