#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::calibration {

/// The memory of a copy's source or destination: a GPU's or the host's.
struct Place {
  enum class Kind { kGpu, kPinned, kPageable };
  Kind kind = Kind::kGpu;
  std::size_t gpu = 0;                   ///< of kGpu
  std::optional<std::size_t> numa_node;  ///< of host memory that is bound to a NUMA node

  auto operator<=>(const Place&) const = default;
};

/// "gpu0", "pinned", "pageable", or "pinned.numa1".
[[nodiscard]] std::string to_string(const Place& place);
[[nodiscard]] std::optional<Place> place_of(const std::string& text);

struct Route {
  Place from;
  Place to;

  auto operator<=>(const Route&) const = default;
};

/// Concurrent copies of one size, one on each route: to a GPU, from a GPU, or both.
struct Copies {
  std::vector<Route> routes;
  Bytes size{};
  bool by_kernel = false;   ///< by load and store instructions, not by a copy engine
  bool peer_access = true;  ///< between GPUs: directly; else through host memory
};

/// A kernel that reads `size` bytes of a GPU's memory and writes as many.
struct MemoryPass {
  std::size_t gpu = 0;
  Bytes size{};
};

/// C = A B, with A of m x k and B of k x n elements.
struct Product {
  std::size_t gpu = 0;
  std::string precision;  ///< name in a job: "fp32", "tf32", "fp16", "bf16", "fp8"
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// An empty kernel.
struct Launch {
  std::size_t gpu = 0;
  /// each kernel is launched after the previous one ended; else without waiting
  bool waits = false;
};

/// One training step of a small network: forward, backward, optimizer.
struct TrainingStep {
  std::size_t gpu = 0;
  std::string network;    ///< "transformer" or "cnn"
  std::string precision;  ///< of the matrix products
  std::int64_t batch = 0;
};

/// One NCCL collective call. `size` is in whole floats for each rank, as in nccl-tests.
struct CollectiveCall {
  std::string collective;         ///< name in a job: "all_reduce", "send_recv"
  std::vector<std::size_t> gpus;  ///< one rank on each; with several machines, the ranks
  Bytes size{};
  std::optional<std::string> algorithm;  ///< "Ring", if it was set
  std::optional<std::string> protocol;   ///< "LL128"
  std::size_t machines = 1;
};

/// Work whose time can be measured on a device.
using DeviceWork = std::variant<Copies, MemoryPass, Product, Launch, TrainingStep, CollectiveCall>;

/// A short description: "copy pinned -> gpu0, 1 MiB".
[[nodiscard]] std::string describe(const DeviceWork& work);

}  // namespace vgsim::calibration
