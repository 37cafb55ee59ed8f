#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::topology {

/// What an NCCL topology file (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE) says, element by element and
/// unjudged. Grammar as NVIDIA/nccl src/graph/xml.cc reads and writes it, versions 2.4 to 2.30.
///
/// Bus ids are lower case with four digits of domain or more ("0000:3b:00.0"); classes and ids are
/// lower-case hex without "0x" ("060400", "10de"), empty where the file has none. `offset` is the
/// byte of the element's name in the file.

/// NVLinks from a GPU to one other device.
struct NcclNvLink {
  std::string target;  ///< bus id; "fffffff:ff:ff.0" stands for an NVSwitch that is out of sight
  std::string target_class;
  std::int64_t count = 0;
  std::size_t offset = 0;
};

struct NcclGpu {
  std::optional<std::int64_t> dev;  ///< NVML's number
  std::int64_t sm = 0;              ///< 10 x compute capability; 0 if missing
  std::optional<std::int64_t> rank;
  bool gdr = false;
  bool c2c = false;          ///< coherent link to the CPU (Grace)
  double c2c_bandwidth = 0;  ///< of that link, GB/s
  std::vector<NcclNvLink> nvlinks;
  std::size_t offset = 0;
};

/// A port of a NIC.
struct NcclNet {
  std::string name;  ///< "mlx5_0", "eth0"; may be empty
  std::optional<std::int64_t> dev;
  std::int64_t speed = 0;  ///< Mbit/s; 0 if unknown
  std::int64_t port = 0;
  std::uint64_t guid = 0;
  double latency = 0.0;  ///< us
  bool gdr = false;
  bool coll = false;  ///< in-network reduction (SHARP)
  std::size_t offset = 0;
};

/// A card of which only the ports are known, not the place on the PCIe bus.
struct NcclNic {
  std::vector<NcclNet> nets;
  std::size_t offset = 0;
};

/// A PCI function: bridge, GPU, NIC or something else.
struct NcclPci {
  std::string busid;
  std::string device_class;
  std::string vendor;
  std::string device;
  std::string subsystem_vendor;
  std::string subsystem_device;
  std::string link_speed;       ///< as written: "16 GT/s", "32.0 GT/s PCIe", ""
  std::int64_t link_width = 0;  ///< lanes; 0 if unknown
  std::optional<NcclGpu> gpu;
  std::vector<NcclNet> nets;
  std::vector<NcclPci> children;
  std::size_t offset = 0;
};

/// A NUMA node.
struct NcclCpu {
  std::int64_t numaid = -1;
  std::string host_hash;  ///< empty before NCCL 2.21
  std::string affinity;
  std::string arch;
  std::string vendor;  ///< "GenuineIntel", "AuthenticAMD"
  std::optional<std::int64_t> familyid;
  std::optional<std::int64_t> modelid;
  std::vector<NcclPci> pcis;
  std::vector<NcclNic> nics;
  std::size_t offset = 0;
};

struct NcclSystem {
  std::int64_t version = 1;
  std::vector<NcclCpu> cpus;    ///< in file order
  input::SourcePtr source;      ///< what the offsets refer to
  input::Diagnostics warnings;  ///< what is odd in the file, but no reason to refuse it
};

/// Whose GPUs a file may have.
enum class NcclGpus {
  kNvidia,  ///< those that the catalogue knows
  kAny,     ///< also AMD's, as RCCL writes them: for what only reads the shape of the machine
};

/// Reads the file. Errors, all at once, with file, line and column: XML that is malformed, cut off
/// or tries tricks (DOCTYPE, entities, processing instructions, NUL), more than 16 MiB, 32 levels,
/// 64 NUMA nodes or 4096 devices, a wrong root or version, AMD GPUs (RCCL) unless they are asked
/// for, known elements in the wrong place, attributes that are missing, unreadable or absurd, GPUs
/// that cannot be told apart. Elements and attributes that are unknown are passed over, with one
/// warning for each kind.
[[nodiscard]] tl::expected<NcclSystem, input::Diagnostics> parse_nccl_xml(
    const input::SourcePtr& source, NcclGpus gpus = NcclGpus::kNvidia);

}  // namespace vgsim::topology
