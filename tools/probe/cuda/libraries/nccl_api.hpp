#pragma once

#include <nccl.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of NCCL that the probe calls.
struct NcclApi {
  SharedLibrary library;

  VGSIM_FUNCTION(error_string, ncclGetErrorString);
  VGSIM_FUNCTION(version, ncclGetVersion);
  VGSIM_FUNCTION(init_all, ncclCommInitAll);
  VGSIM_FUNCTION(unique_id, ncclGetUniqueId);
  VGSIM_FUNCTION(init_rank, ncclCommInitRank);
  VGSIM_FUNCTION(destroy, ncclCommDestroy);
  VGSIM_FUNCTION(abort, ncclCommAbort);
  VGSIM_FUNCTION(group_start, ncclGroupStart);
  VGSIM_FUNCTION(group_end, ncclGroupEnd);

  VGSIM_FUNCTION(all_reduce, ncclAllReduce);
  VGSIM_FUNCTION(all_gather, ncclAllGather);
  VGSIM_FUNCTION(reduce_scatter, ncclReduceScatter);
  VGSIM_FUNCTION(broadcast, ncclBroadcast);
  VGSIM_FUNCTION(reduce, ncclReduce);
  VGSIM_FUNCTION(send, ncclSend);
  VGSIM_FUNCTION(receive, ncclRecv);
};

/// NCCL, loaded at the first call. Throws DeviceError if it is missing.
[[nodiscard]] const NcclApi& nccl();

/// Throws DeviceError if `call` failed.
void check(ncclResult_t result, const char* call);

}  // namespace vgsim::probe::cuda
