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
  /// Canonical text of all its keys, equal for equal hosts; and the same without its leaf.
  std::string said;
  std::string said_without_leaf;
};

/// A virtual machine of a layout.
struct LayoutVm {
  vsphere::VmSpec spec;
  std::string said;  ///< canonical text of its keys without the host, equal for equal VMs
};

/// Differences between equal ranks.
struct VariabilitySpec {
  double compute_sigma{};  ///< standard deviation of the logarithm of a rank's computing time in an
                           ///< iteration
  std::vector<input::Named<double>> stragglers;
  std::int64_t seed{};
};

/// A link that fails or slows down during the job.
struct FaultSpec {
  input::At<std::string> link;
  SimTime at{};
  std::optional<input::At<SimTime>> until;
  double share{};  ///< remaining share of the capacity
};

/// Constant load of others on the same hosts.
struct NeighbourSpec {
  input::At<std::string> host;  ///< a name or a pattern
  std::optional<std::vector<input::At<std::string>>> path;
  std::optional<BytesPerSecond> rate;
  std::optional<double> cores;
};

/// Prices of the resources of a training job.
struct Prices {
  std::optional<std::string> currency;
  double gpu_hour{};
  double host_hour{};
  double licence_gpu_hour{};
  std::vector<input::Named<double>> parts;
  double kwh{};
  double
      pue{};  ///< power usage effectiveness: energy of the data centre over that of its computers
};

/// Failure rates; unset members have the published rates of large clusters.
struct Reliability {
  std::optional<double> gpu_hours;   ///< hours between failures of one GPU
  std::optional<double> host_hours;  ///< hours between failures of one host
  std::optional<SimTime> restart;
};

enum class DisruptionKind : std::uint8_t {
  kVmotion,      ///< live migration of the VM
  kRestart,      ///< planned: a checkpoint is saved, and the VM loads it on another host
  kHostFailure,  ///< HA restarts the VM on another host; work since the last checkpoint is repeated
};

/// An event that stops one VM of a job, and thereby all ranks.
struct DisruptionSpec {
  DisruptionKind kind{};
  input::At<std::string> vm;
  SimTime at{};
};

/// Rolling maintenance of the hosts.
struct MaintenanceSpec {
  double per_month{};  ///< outages per host and month
  SimTime lasts{};     ///< duration of an outage
};

/// Model effects that are switched off.
struct Idealised {
  bool zero_latency{};
  bool zero_overhead{};     ///< no virtualization overhead, but its restrictions
  bool ideal_computing{};   ///< GPUs execute only their operations, without variation
  bool unlimited_memory{};  ///< no limit of device memory
  bool line_rate{};         ///< payload uses the full line rate
  bool any_support{};       ///< what vendors do not support, but works, is not refused

  /// Whether transfer times are size over rate.
  [[nodiscard]] bool ideal_links() const { return zero_latency && line_rate; }
  /// Whether no estimated effect remains.
  [[nodiscard]] bool is_exact() const { return ideal_links() && zero_overhead && ideal_computing; }
};

template <class T>
using Shared = std::shared_ptr<const T>;

/// One layout of a scenario: the values of its file after the patch.
struct Layout {
  std::string name;
  std::optional<input::At<std::string>> calibration;
  input::At<std::string> vsphere;  ///< version
  /// Hosts of a range share their content.
  std::vector<input::Named<Shared<LayoutHost>>> hosts;
  std::optional<input::At<topology::FabricSpec>> fabric;
  std::optional<vsphere::ClusterSettings> cluster;
  std::vector<input::Named<Shared<LayoutVm>>> vms;
  /// Canonical text of all machine keys other than hosts and VMs, equal for equal layouts.
  std::string said_of_machines;
  input::At<JobSpec> job;
  std::string job_name;  ///< of one of several jobs
  /// All of several jobs, the first one first; empty for a single one. `job` is one of them.
  std::vector<input::Named<input::At<JobSpec>>> jobs;
  /// Of the layout with the first of several jobs: those with the others.
  std::vector<std::shared_ptr<const Layout>> other_jobs;
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
