// NCCL's calls, which wait for the end of their group.

#include "tests/tools/probe/cuda/fake_nccl.hpp"

using namespace vgsim::fake;
using namespace vgsim::fake::nccl;

namespace {

ncclResult_t add(const char* name, ncclComm_t communicator, cudaStream_t stream, std::size_t bytes,
                 int peer = 0) {
  const Rank* const rank = library().ranks.find(name, communicator);
  if (rank == nullptr || !check_stream(name, rank->gpu, stream)) return ncclInvalidArgument;
  if (peer < 0 || peer >= rank->ranks) {
    misuse(fmt::format("{}: there is no rank {}", name, peer));
    return ncclInvalidArgument;
  }
  if (library().depth == 0) {
    misuse(fmt::format("{}: outside of a group, so that the thread would wait for ever", name));
    return ncclInvalidUsage;
  }
  library().calls.push_back({name, *rank, bytes, peer, stream});
  return ncclSuccess;
}

/// Memory that a call reads or writes, for the rank.
void check_buffer(const char* name, ncclComm_t communicator, const void* at, std::size_t bytes) {
  const Rank* const rank = library().ranks.find(name, communicator);
  if (rank != nullptr) check_range(name, rank->gpu, at, bytes);
}

std::size_t bytes_of(const char* name, std::size_t count, ncclDataType_t type) {
  if (type != ncclFloat) misuse(fmt::format("{}: other numbers than floats", name));
  return count * sizeof(float);
}

std::size_t ranks_of(ncclComm_t communicator) {
  const Rank* const rank = library().ranks.find("ncclComm_t", communicator);
  return rank == nullptr ? 0 : static_cast<std::size_t>(rank->ranks);
}

}  // namespace

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t, ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclAllReduce", count, type);
  check_buffer("ncclAllReduce", communicator, from, bytes);
  check_buffer("ncclAllReduce", communicator, to, bytes);
  return add("ncclAllReduce", communicator, stream, bytes);
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclAllGather", count, type);
  const std::size_t all = bytes * ranks_of(communicator);
  check_buffer("ncclAllGather", communicator, from, bytes);
  check_buffer("ncclAllGather", communicator, to, all);
  return add("ncclAllGather", communicator, stream, all);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t, ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclReduceScatter", count, type);
  const std::size_t all = bytes * ranks_of(communicator);
  check_buffer("ncclReduceScatter", communicator, from, all);
  check_buffer("ncclReduceScatter", communicator, to, bytes);
  return add("ncclReduceScatter", communicator, stream, all);
}

ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclBroadcast", count, type);
  check_buffer("ncclBroadcast", communicator, from, bytes);
  check_buffer("ncclBroadcast", communicator, to, bytes);
  return add("ncclBroadcast", communicator, stream, bytes, root);
}

ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t, int root, ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclReduce", count, type);
  check_buffer("ncclReduce", communicator, from, bytes);
  check_buffer("ncclReduce", communicator, to, bytes);
  return add("ncclReduce", communicator, stream, bytes, root);
}

ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclSend", count, type);
  check_buffer("ncclSend", communicator, from, bytes);
  return add("ncclSend", communicator, stream, bytes, peer);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t communicator, cudaStream_t stream) {
  const std::size_t bytes = bytes_of("ncclRecv", count, type);
  check_buffer("ncclRecv", communicator, to, bytes);
  return add("ncclRecv", communicator, stream, bytes, peer);
}
