#include "models/collectives/nccl/communicator.hpp"

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

const AgreedGraph& Communicator::graph(Algorithm algorithm) const {
  switch (algorithm) {
    case Algorithm::kTree:
    case Algorithm::kPat:
      return tree;
    case Algorithm::kRing:
      return ring;
    case Algorithm::kCollNetDirect:
      return collnet_direct;
    case Algorithm::kCollNetChain:
      return collnet_chain;
    case Algorithm::kNvls:
    case Algorithm::kNvlsTree:
      return nvls;
  }
  throw std::logic_error("algorithm");
}

Generation generation_of(int min_sm, int max_sm, const Version& release) {
  if (release < Version{2, 18, 0}) {  // only GPUs all alike count as of their generation
    if (min_sm != max_sm) return Generation::kVolta;
    if (min_sm == 90 && release >= Version{2, 16, 0}) return Generation::kHopper;
    return min_sm == 80 ? Generation::kAmpere : Generation::kVolta;
  }
  if (min_sm >= 100 && release >= Version{2, 25, 0}) return Generation::kBlackwell;
  if (min_sm >= 90) return Generation::kHopper;
  return min_sm >= 80 ? Generation::kAmpere : Generation::kVolta;
}

}  // namespace vgsim::collectives::nccl
