#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::cli {

/// The options of a new scenario, as typed; unset ones are open.
struct ScenarioRequest {
  std::optional<std::string> server;
  std::optional<std::string> hosts;
  std::optional<std::string> gpus;  ///< "8", "h100" or "8 x h100", of each host
  std::optional<std::string> nic;
  std::optional<std::string> nics;      ///< number in each host
  std::vector<std::string> layouts;     ///< "passthrough", "vgpu", "mig", "both", "all"
  std::optional<std::string> profile;   ///< of the vGPUs; default: a whole GPU
  std::optional<std::string> network;   ///< or a file
  std::optional<std::string> parallel;  ///< "fsdp", "tensor=4,pipeline=2,zero1"
  std::optional<std::string> batch;     ///< samples of a GPU
  std::optional<std::string> vsphere;   ///< version
  std::optional<std::string> name;
};

}  // namespace vgsim::cli
