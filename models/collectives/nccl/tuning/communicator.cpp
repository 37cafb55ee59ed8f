#include "models/collectives/nccl/tuning/communicator.hpp"

#include <bit>
#include <stdexcept>

namespace vgsim::collectives::nccl {

const char* to_string(Function function) {
  switch (function) {
    case Function::kBroadcast:
      return "Broadcast";
    case Function::kReduce:
      return "Reduce";
    case Function::kAllGather:
      return "AllGather";
    case Function::kReduceScatter:
      return "ReduceScatter";
    case Function::kAllReduce:
      return "AllReduce";
  }
  throw std::logic_error("function");
}

int Communicator::tree_depth() const {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(nodes))) - 1;
}

Generation generation_of(int min_sm, int max_sm, const Version& release) {
  constexpr Generation kVolta = topology::generation_called("volta");
  constexpr Generation kAmpere = topology::generation_called("ampere");
  constexpr Generation kHopper = topology::generation_called("hopper");
  if (release < Version{2, 18, 0}) {  // only equal GPUs count as their generation
    if (min_sm != max_sm) return kVolta;
    if (min_sm == 90 && release >= Version{2, 16, 0}) return kHopper;
    return min_sm == 80 ? kAmpere : kVolta;
  }
  const Generation own = topology::generation_of(min_sm);
  return release < Version{2, 25, 0} ? std::min(own, kHopper) : own;
}

}  // namespace vgsim::collectives::nccl
