#include "tools/probe/cuda/facts/nccl_facts.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {

std::unique_ptr<PreparedWork> prepare_work(Gpus&, const calibration::CollectiveCall&) {
  throw DeviceError("built without NCCL's headers");
}

std::string new_call_id() { throw DeviceError("built without NCCL's headers"); }

std::unique_ptr<PreparedWork> prepare_rank(Gpus&, const calibration::CollectiveCall&,
                                           const CallRank&) {
  throw DeviceError("built without NCCL's headers");
}

std::string nccl_version() { return {}; }

std::string nccl_topology(Gpus&) { return {}; }

}  // namespace vgsim::probe::cuda
