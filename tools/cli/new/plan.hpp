#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/cli/new/scenario_request.hpp"
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

/// The split of the work; sizes of 1 are left out.
struct NewParallel {
  std::map<std::string, std::int64_t> axes;  ///< "tensor", "pipeline", "context", "expert"
  std::string sharding;                      ///< "zero3"; empty: none
};

/// A new scenario, with names of the library.
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
  bool has_dataset = false;     ///< so that the length of an epoch is known
  bool is_transformer = false;  ///< so that activations can be recomputed
  NewParallel parallel;
  bool recompute = false;
  std::string precision;
  std::int64_t batch = 1;
};

/// The GPU next to the n-th of some NICs, which are spread evenly over the GPUs.
[[nodiscard]] std::string nearest_gpu(std::size_t nic, std::size_t nics, std::size_t gpus);

/// Makes a plan of a request, with defaults for missing values. Collects all errors: unknown
/// names, with the nearest known ones, and devices that do not fit in the server.
[[nodiscard]] tl::expected<NewPlan, input::Diagnostics> plan_of(const ScenarioRequest& request,
                                                                const scenario::Library& library);

/// The same plan with less GPU memory, to retry a job that does not fit: smaller batches, then
/// sharded parameters, then recomputed activations. Nothing if all of that was tried or is
/// excluded by the request.
[[nodiscard]] std::optional<NewPlan> smaller_plan(const NewPlan& plan,
                                                  const ScenarioRequest& request);

}  // namespace vgsim::cli
