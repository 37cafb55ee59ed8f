#pragma once

#include <nccl.h>

#include "tools/probe/cuda/libraries/shared_library.hpp"

namespace vgsim::probe::cuda {

/// The functions of NCCL that the probe calls.
struct NcclApi {
  SharedLibrary library;

  decltype(&ncclGetErrorString) error_string = VGSIM_SYMBOL(library, ncclGetErrorString);
  decltype(&ncclGetVersion) version = VGSIM_SYMBOL(library, ncclGetVersion);
  decltype(&ncclCommInitAll) init_all = VGSIM_SYMBOL(library, ncclCommInitAll);
  decltype(&ncclGetUniqueId) unique_id = VGSIM_SYMBOL(library, ncclGetUniqueId);
  decltype(&ncclCommInitRank) init_rank = VGSIM_SYMBOL(library, ncclCommInitRank);
  decltype(&ncclCommDestroy) destroy = VGSIM_SYMBOL(library, ncclCommDestroy);
  decltype(&ncclCommAbort) abort = VGSIM_SYMBOL(library, ncclCommAbort);
  decltype(&ncclGroupStart) group_start = VGSIM_SYMBOL(library, ncclGroupStart);
  decltype(&ncclGroupEnd) group_end = VGSIM_SYMBOL(library, ncclGroupEnd);

  decltype(&ncclAllReduce) all_reduce = VGSIM_SYMBOL(library, ncclAllReduce);
  decltype(&ncclAllGather) all_gather = VGSIM_SYMBOL(library, ncclAllGather);
  decltype(&ncclReduceScatter) reduce_scatter = VGSIM_SYMBOL(library, ncclReduceScatter);
  decltype(&ncclBroadcast) broadcast = VGSIM_SYMBOL(library, ncclBroadcast);
  decltype(&ncclReduce) reduce = VGSIM_SYMBOL(library, ncclReduce);
  decltype(&ncclSend) send = VGSIM_SYMBOL(library, ncclSend);
  decltype(&ncclRecv) receive = VGSIM_SYMBOL(library, ncclRecv);
};

/// NCCL, loaded at the first call. Throws DeviceError where it is not there.
[[nodiscard]] const NcclApi& nccl();

/// Throws DeviceError where `call` did not succeed.
void check(ncclResult_t result, const char* call);

}  // namespace vgsim::probe::cuda
