#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::calibration {

/// Where bytes of a copy lie: in a GPU's memory, or in host memory.
struct Place {
  enum class Kind { kGpu, kPinned, kPageable };
  Kind kind = Kind::kGpu;
  std::size_t gpu = 0;                   ///< of kGpu
  std::optional<std::size_t> numa_node;  ///< of host memory, where it is bound to one

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

/// Copies of one size that run at the same time, each over its route: to a GPU, from one, or both.
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
  std::string precision;  ///< as a job names it: "fp32", "tf32", "fp16", "bf16", "fp8"
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// An empty kernel.
struct Launch {
  std::size_t gpu = 0;
  bool waits = false;  ///< until it has ended, before the next one; else they follow one another
};

/// One training step of a small network: forward, backward, optimizer.
struct TrainingStep {
  std::size_t gpu = 0;
  std::string network;    ///< "transformer" or "cnn"
  std::string precision;  ///< of the matrix products
  std::int64_t batch = 0;
};

/// One collective call of NCCL. `size` as nccl-tests has it, in whole floats for each rank.
struct CollectiveCall {
  std::string collective;         ///< as a job names it: "all_reduce", "send_recv"
  std::vector<std::size_t> gpus;  ///< one rank on each; of several machines the ranks themselves
  Bytes size{};
  std::optional<std::string> algorithm;  ///< "Ring", where NCCL is told
  std::optional<std::string> protocol;   ///< "LL128"
  std::size_t machines = 1;
};

/// Something that a device can be timed at.
using DeviceWork = std::variant<Copies, MemoryPass, Product, Launch, TrainingStep, CollectiveCall>;

/// In a few words: "copy pinned -> gpu0, 1 MiB".
[[nodiscard]] std::string describe(const DeviceWork& work);

}  // namespace vgsim::calibration
