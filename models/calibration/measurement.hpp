#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/device_work.hpp"
#include "sim/units.hpp"

namespace vgsim::calibration {

inline constexpr const char* kMeasurementFormat = "vgsim.measurement/1";

/// A GPU as detected on its machine. Unknown properties are empty or 0.
struct MeasuredGpu {
  std::string name;  ///< "NVIDIA H200"
  std::string pci_address;
  std::string compute_capability;  ///< "9.0"
  Bytes memory{};
  std::size_t multiprocessors = 0;
  std::size_t clock_mhz = 0;         ///< the highest
  std::size_t memory_clock_mhz = 0;  ///< the highest
  std::optional<std::size_t> numa_node;
  std::string virtualization;  ///< "none", "passthrough", "vgpu"
  std::string mig;             ///< name of the MIG profile
};

struct MeasuredMachine {
  std::vector<MeasuredGpu> gpus;
  std::string driver;           ///< "580.159.03"
  std::string cuda;             ///< highest version that the driver supports: "13.0"
  std::string nccl;             ///< "2.28.9"
  std::string processor;        ///< model of the CPU
  std::string hypervisor;       ///< as detected in the guest; empty on bare metal
  std::string topology_matrix;  ///< output of `nvidia-smi topo -m`
  std::string nccl_topology;    ///< NCCL's XML topology
};

/// The times of one work item over several samples.
struct Timing {
  double median_s = 0;
  double low_s = 0;  ///< 90 % of the samples are between low and high
  double high_s = 0;
  std::size_t samples = 0;  ///< 0: the tool reports a single number
  std::size_t repeats = 1;  ///< repetitions of the work in a sample
  bool steady = true;       ///< false: samples were still drifting at the time limit
};

struct Measured {
  DeviceWork work;
  Timing timing;
};

/// Work that was not measured, or a line that was not understood.
struct LeftOut {
  std::string what;
  std::string why;
};

/// The measurements of one machine.
struct Measurement {
  std::string name;
  std::string date;  ///< "2026-11-22"; empty if unknown
  std::string tool;  ///< "vgsim probe 0.1.0", "nvbandwidth v0.6"
  MeasuredMachine machine;
  std::vector<Measured> results;
  std::vector<LeftOut> left_out;
};

/// Writes `vgsim.measurement/1`, JSON with a newline at the end.
[[nodiscard]] std::string to_json(const Measurement& measurement);

}  // namespace vgsim::calibration
