#include "models/collectives/nccl/tuning/chunk_size.hpp"

namespace vgsim::collectives::nccl {

Bytes slot_data(Protocol protocol, const WorkConstants& work) {
  const std::int64_t slot = work.buffer[static_cast<std::size_t>(protocol)].count() / work.slots;
  if (protocol == Protocol::kLl) return Bytes{slot / 2};  // half are flags
  return Bytes{protocol == Protocol::kLl128 ? slot / 128 * 120 : slot};
}

Bytes chunk_size(const AlgorithmCall& call, Bytes share) {
  const Bytes slot = slot_data(call.protocol, call.constants.work);
  if (call.record.chunk == nullptr) return slot;
  return Bytes{call.record.chunk(call, slot.count(), share.count())};
}

}  // namespace vgsim::collectives::nccl
