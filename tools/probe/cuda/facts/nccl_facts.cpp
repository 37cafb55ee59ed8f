#include "tools/probe/cuda/facts/nccl_facts.hpp"

#include <fmt/format.h>

#include <vector>

#include "tools/probe/cuda/communicator.hpp"
#include "tools/probe/cuda/environment_variable.hpp"
#include "tools/probe/cuda/libraries/nccl_api.hpp"
#include "tools/probe/cuda/temporary_file.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

std::string nccl_version() {
  int code = 0;
  try {
    check(nccl().version(&code), "ncclGetVersion");
  } catch (const DeviceError&) {
    return {};
  }
  // Since 2.9 the major version counts 10000.
  const int major = code < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", code / major, code % major / 100, code % 100);
}

std::string nccl_topology(Gpus& gpus) {
  try {
    const TemporaryFile file;
    const EnvironmentVariable dump("NCCL_TOPO_DUMP_FILE", file.path());
    std::vector<GpuPtr> all;
    for (std::size_t i = 0; i < gpus.count(); ++i) all.push_back(gpus.at(i));
    const Communicator communicator(std::move(all));
    return file.content();
  } catch (const DeviceError&) {
    return {};
  }
}

}  // namespace vgsim::probe::cuda
