#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
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

/// Attributes that are only passed on, with their values, in the file's order.
using NcclAttributes = std::vector<std::pair<std::string, std::string>>;

/// NVLinks from a GPU to one other device; AMD's xGMI links likewise.
struct NcclNvLink {
  std::string target;  ///< bus id; "fffffff:ff:ff.0" stands for an NVSwitch that is out of sight
  std::string target_class;
  std::int64_t count = 0;
  std::size_t offset = 0;
};

/// Coherent links from a GPU to its CPU (Grace).
struct NcclC2c {
  std::int64_t megabytes_per_second = 0;  ///< of one link
  std::int64_t count = 0;
};

struct NcclGpu {
  std::optional<std::int64_t> dev;  ///< NVML's number
  std::int64_t sm = 0;              ///< 10 x compute capability, RCCL's number; 0 if missing
  std::string gcn;                  ///< of AMD's: "gfx942", or the number of old dumps: "908"
  std::optional<std::int64_t> rank;
  bool gdr = false;
  std::vector<NcclC2c> c2c;
  std::vector<NcclNvLink> nvlinks;
  bool xgmi = false;  ///< the links are AMD's
  /// How many are active, where only that is told. NCCL's own dumps (with `sm`) list all there are.
  std::optional<std::int64_t> nvlinks_up;
  NcclAttributes more;

  /// Of all links to the CPU, GB/s.
  [[nodiscard]] double c2c_bandwidth() const;
  std::size_t offset = 0;
};

/// Faster than any port: 10 Tbit/s.
inline constexpr std::int64_t kMaxMegabits = 10'000'000;

/// A port of a NIC.
struct NcclNet {
  std::string name;  ///< "mlx5_0", "eth0"; may be empty
  std::optional<std::int64_t> dev;
  std::int64_t speed = 0;  ///< Mbit/s; 0 if unknown; more than kMaxMegabits is of another unit
  std::int64_t port = 0;
  std::uint64_t guid = 0;
  std::optional<std::int64_t> maxconn;
  double latency = 0.0;  ///< us
  bool gdr = false;
  bool coll = false;  ///< in-network reduction (SHARP)
  bool keep = false;  ///< a user's own entry, which NCCL keeps though it finds no such device
  NcclAttributes more;
  std::size_t offset = 0;

  /// The speed, or 0 if it cannot be that.
  [[nodiscard]] std::int64_t usable_speed() const { return speed > kMaxMegabits ? 0 : speed; }
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
  std::string root_complex;     ///< of a top-level one, if another file tells it; in no NCCL file
  std::optional<NcclGpu> gpu;
  std::vector<NcclNet> nets;
  std::vector<NcclPci> children;
  std::size_t offset = 0;
};

/// A NUMA node.
struct NcclCpu {
  std::int64_t numaid = -1;
  std::optional<std::int64_t> package;  ///< its socket, if another file tells it; in no NCCL file
  std::string model_name;  ///< "POWER9, altivec supported", if another file tells it; likewise
  std::string host_hash;   ///< empty before NCCL 2.21
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
  std::vector<NcclCpu> cpus;             ///< in file order
  input::SourcePtr source;               ///< what the offsets refer to
  std::string origin = "NCCL topology";  ///< what kind of file that is
  input::Diagnostics warnings;           ///< what is odd in the file, but no reason to refuse it
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

/// Reports devices of one host that share a bus id. GPUs, and devices of no class that could be
/// some, are errors: an NVLink or a completion that names them would be ambiguous. So are GPUs
/// with the same `dev`. NICs and bridges are told apart by their place in the file: a warning.
void report_same_gpus(const NcclSystem& system, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
