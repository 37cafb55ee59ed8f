#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/cli/new/wishes.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// One layout of a new scenario.
struct NewLayout {
  std::string name;     ///< "passthrough", "vgpu", "mig"
  std::string profile;  ///< of its vGPUs; empty in passthrough
  bool group = false;   ///< one device group with NVLink for all of them
};

/// How the work is split; sizes of 1 are left out.
struct NewParallel {
  std::map<std::string, std::int64_t> axes;  ///< "tensor", "pipeline", "context", "expert"
  std::string sharding;                      ///< "zero3"; empty: nothing
};

/// A new scenario, with names as the library has them.
struct NewPlan {
  std::string name;
  std::string vsphere;
  const topology::ServerModel* server = nullptr;
  std::size_t hosts = 1;
  std::size_t gpus = 1;  ///< of each host
  const topology::GpuModel* gpu = nullptr;
  const topology::NicModel* nic = nullptr;  ///< nullptr: none
  std::size_t nics = 0;                     ///< of each host
  std::vector<NewLayout> layouts;
  std::string network;
  bool has_dataset = false;     ///< that tells how long an epoch is
  bool is_transformer = false;  ///< so that activations can be computed again
  NewParallel parallel;
  bool recompute = false;
  std::string precision;
  std::int64_t batch = 1;
};

/// The GPU that the n-th of some NICs stands beside: spread over them, so that as many as possible
/// have one near by.
[[nodiscard]] std::string gpu_beside(std::size_t nic, std::size_t nics, std::size_t gpus);

/// Makes a plan of wishes; what was not wished for gets what is usual for the rest. Errors, all at
/// once: words that name nothing, with the nearest that do; what the server or GPU cannot have.
[[nodiscard]] tl::expected<NewPlan, input::Diagnostics> plan_of(const NewWishes& wishes,
                                                                const scenario::Library& library);

/// The same plan with less for the memory of a GPU to hold, for the next trial where a job does not
/// fit: smaller batches, then sharded parameters, then activations that are computed again. Nothing
/// where all of that was tried, or was wished otherwise.
[[nodiscard]] std::optional<NewPlan> smaller_plan(const NewPlan& plan, const NewWishes& wishes);

}  // namespace vgsim::cli
