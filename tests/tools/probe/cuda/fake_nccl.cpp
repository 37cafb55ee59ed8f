// NCCL's communicators and groups: checks that the calls of a group fit, and takes their time.

#include "tests/tools/probe/cuda/fake_nccl.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "tests/tools/probe/cuda/fake_truth.hpp"

using namespace vgsim::fake;
using namespace vgsim::fake::nccl;

namespace vgsim::fake::nccl {

Library& library() {
  static Library only;
  return only;
}

}  // namespace vgsim::fake::nccl

namespace {

constexpr char kIdMark = 'v';  // what an id is made of

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

void check_choice(const char* name, const std::set<std::string>& known) {
  if (!variable(name).empty() && known.count(variable(name)) == 0) {
    misuse(fmt::format("{}={} is unknown", name, variable(name)));
  }
}

/// The rate of the protocol that NCCL_PROTO selects.
double chosen_rate() {
  check_choice("NCCL_ALGO", {"Ring", "Tree"});
  check_choice("NCCL_PROTO", {"LL", "LL128", "Simple"});
  return variable("NCCL_PROTO") == "LL" ? kLlRate : kCollectiveRate;
}

/// The calls of the ranks in this process fit each other: as many of each, alike; and what one
/// sends another one takes.
void check_calls(const std::vector<Call>& calls) {
  std::map<std::tuple<std::string, std::size_t>, int> collectives;
  std::map<std::tuple<int, int, std::size_t>, int> transfers;
  for (const Call& call : calls) {
    if (call.name == "ncclSend") {
      ++transfers[{call.rank.rank, call.peer, call.bytes}];
    } else if (call.name == "ncclRecv") {
      --transfers[{call.peer, call.rank.rank, call.bytes}];
    } else {
      ++collectives[{call.name, call.bytes}];
    }
  }
  for (const auto& [what, count] : collectives) {
    if (count % calls.front().rank.own != 0) misuse(std::get<0>(what) + ": not on all ranks");
  }
  if (calls.front().rank.own < calls.front().rank.ranks) return;
  for (const auto& [what, count] : transfers) {
    if (count != 0) misuse("ncclSend: not taken, or ncclRecv: not sent");
  }
}

/// NCCL enables peer access for its communicator, and reads the memory of all its GPUs.
void check_peers(const std::vector<Call>& calls) {
  for (const Call& one : calls) {
    for (const Call& other : calls) {
      if (one.rank.gpu != other.rank.gpu && !are_peers(one.rank.gpu, other.rank.gpu)) {
        misuse(one.name + ": peer access was taken away from a communicator");
        return;
      }
    }
  }
}

/// The bytes of a call are those of its slowest rank.
void run(const std::vector<Call>& calls) {
  check_calls(calls);
  check_peers(calls);
  std::map<int, double> bytes;
  std::vector<CUstream> streams;
  for (const Call& call : calls) {
    if (call.name != "ncclRecv") bytes[call.rank.rank] += static_cast<double>(call.bytes);
    if (std::find(streams.begin(), streams.end(), call.stream) == streams.end()) {
      streams.push_back(call.stream);
    }
  }
  double most = 0;
  for (const auto& [rank, sum] : bytes) most = std::max(most, sum);
  enqueue_together(streams, kCollectiveLatency + most / calls.front().rank.rate);
}

ncclResult_t remove(const char* call, ncclComm_t communicator) {
  const Rank* const rank = library().ranks.find(call, communicator);
  if (rank == nullptr) return ncclInvalidArgument;
  check_context(call, rank->gpu);
  library().ranks.destroy(communicator);
  return ncclSuccess;
}

}  // namespace

const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclInvalidUsage ? "invalid usage" : "invalid argument";
}

ncclResult_t ncclGetVersion(int* version) {
  *version = 22809;
  return ncclSuccess;
}

ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int* gpus) {
  const std::set<int> distinct(gpus, gpus + count);
  if (count < 1 || distinct.size() != static_cast<std::size_t>(count) || *distinct.begin() < 0 ||
      *distinct.rbegin() >= count_of_gpus() || library().depth != 0) {
    misuse("ncclCommInitAll: GPUs that are not there, one GPU twice, or within a group");
    return ncclInvalidArgument;
  }
  const double rate = chosen_rate();
  const int clique = library().cliques++;
  for (int rank = 0; rank < count; ++rank) {
    check_context("ncclCommInitAll", gpus[rank]);
    for (int before = 0; before < rank; ++before) enable_peers(gpus[before], gpus[rank]);
    communicators[rank] = library().ranks.make({clique, rank, count, count, gpus[rank], rate});
  }
  const std::string path = variable("NCCL_TOPO_DUMP_FILE");
  if (!path.empty()) std::ofstream(path) << kTopologyMark << "\n</system>\n";
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id->internal, kIdMark, sizeof id->internal);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int ranks, ncclUniqueId id, int rank) {
  const int gpu = current_gpu("ncclCommInitRank");
  if (gpu == kNoGpu || rank < 0 || rank >= ranks || id.internal[0] != kIdMark ||
      id.internal[sizeof id.internal - 1] != kIdMark) {
    misuse("ncclCommInitRank: no GPU, a rank that is not there, or another id");
    return ncclInvalidArgument;
  }
  *communicator = library().ranks.make({library().cliques++, rank, ranks, 1, gpu, chosen_rate()});
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  return remove("ncclCommDestroy", communicator);
}

ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  return remove("ncclCommAbort", communicator);
}

ncclResult_t ncclGroupStart() {
  ++library().depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  Library& l = library();
  if (l.depth == 0) {
    misuse("ncclGroupEnd: there is no group");
    return ncclInvalidUsage;
  }
  if (--l.depth > 0) return ncclSuccess;
  std::map<int, std::vector<Call>> cliques;
  for (const Call& call : l.calls) cliques[call.rank.clique].push_back(call);
  l.calls.clear();
  for (const auto& [clique, calls] : cliques) run(calls);
  return ncclSuccess;
}
