#include "tools/probe/cuda/communicator.hpp"

#include <cstring>

#include "tools/probe/cuda/libraries/nccl_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

Communicator::Communicator(std::vector<GpuPtr> gpus)
    : gpus_(std::move(gpus)), handles_(gpus_.size()), ranks_(gpus_.size()) {
  if (gpus_.empty()) throw DeviceError("a collective call without a GPU");
  std::vector<int> devices;
  for (const GpuPtr& gpu : gpus_) devices.push_back(static_cast<int>(gpu->ordinal()));
  gpus_.front()->make_current();
  check(nccl().init_all(handles_.data(), static_cast<int>(devices.size()), devices.data()),
        "ncclCommInitAll");
}

Communicator::Communicator(const GpuPtr& gpu, const std::string& id, std::size_t rank,
                           std::size_t ranks)
    : gpus_{gpu}, handles_(1), first_rank_(rank), ranks_(ranks) {
  ncclUniqueId meeting{};
  if (id.size() != sizeof meeting) throw DeviceError("the id of a communicator is cut short");
  std::memcpy(&meeting, id.data(), sizeof meeting);
  gpu->make_current();
  check(nccl().init_rank(handles_.data(), static_cast<int>(ranks), meeting, static_cast<int>(rank)),
        "ncclCommInitRank");
}

Communicator::~Communicator() {
  if (broken_) return;
  for (std::size_t rank = 0; rank < size(); ++rank) {
    gpus_[rank]->try_make_current();
    nccl().destroy(handles_[rank]);
  }
}

void Communicator::give_up() noexcept {
  if (broken_) return;
  broken_ = true;
  for (std::size_t rank = 0; rank < size(); ++rank) {
    gpus_[rank]->try_make_current();
    nccl().abort(handles_[rank]);
  }
}

// A started group has to be ended, even after a failed call.
void Communicator::group(const std::function<void(std::size_t)>& enqueue) {
  check(nccl().group_start(), "ncclGroupStart");
  try {
    for (std::size_t rank = 0; rank < size(); ++rank) {
      gpus_[rank]->make_current();
      enqueue(rank);
    }
  } catch (const DeviceError&) {
    nccl().group_end();
    give_up();
    throw;
  }
  const ncclResult_t end = nccl().group_end();
  if (end != ncclSuccess) give_up();
  check(end, "ncclGroupEnd");
}

}  // namespace vgsim::probe::cuda
