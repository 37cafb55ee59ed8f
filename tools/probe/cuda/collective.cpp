#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>
#include <vector>

#include "tools/probe/cuda/communicator.hpp"
#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/environment_variable.hpp"
#include "tools/probe/cuda/host_clock.hpp"
#include "tools/probe/cuda/libraries/nccl_api.hpp"
#include "tools/probe/cuda/stream.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

/// Arguments of a rank in a call.
struct Rank {
  ncclComm_t communicator;
  int rank;
  int ranks;
  const float* from;
  float* to;
  std::size_t count;  ///< numbers of the call's size
  cudaStream_t stream;

  /// Elements per rank.
  [[nodiscard]] std::size_t share() const { return count / static_cast<std::size_t>(ranks); }
};

using Call = void (*)(const Rank&);

void all_reduce(const Rank& r) {
  check(nccl().all_reduce(r.from, r.to, r.count, ncclFloat, ncclSum, r.communicator, r.stream),
        "ncclAllReduce");
}

void all_gather(const Rank& r) {
  check(nccl().all_gather(r.from, r.to, r.share(), ncclFloat, r.communicator, r.stream),
        "ncclAllGather");
}

void reduce_scatter(const Rank& r) {
  check(
      nccl().reduce_scatter(r.from, r.to, r.share(), ncclFloat, ncclSum, r.communicator, r.stream),
      "ncclReduceScatter");
}

void broadcast(const Rank& r) {
  check(nccl().broadcast(r.from, r.to, r.count, ncclFloat, 0, r.communicator, r.stream),
        "ncclBroadcast");
}

void reduce(const Rank& r) {
  check(nccl().reduce(r.from, r.to, r.count, ncclFloat, ncclSum, 0, r.communicator, r.stream),
        "ncclReduce");
}

void exchange(const Rank& r, const float* from, int target, float* to, int source,
              std::size_t count) {
  check(nccl().send(from, count, ncclFloat, target, r.communicator, r.stream), "ncclSend");
  check(nccl().receive(to, count, ncclFloat, source, r.communicator, r.stream), "ncclRecv");
}

void all_to_all(const Rank& r) {
  for (int peer = 0; peer < r.ranks; ++peer) {
    const std::size_t offset = static_cast<std::size_t>(peer) * r.share();
    exchange(r, r.from + offset, peer, r.to + offset, peer, r.share());
  }
}

/// Sends to the next rank and receives from the previous one, in a ring.
void send_recv(const Rank& r) {
  exchange(r, r.from, (r.rank + 1) % r.ranks, r.to, (r.rank + r.ranks - 1) % r.ranks, r.count);
}

Call call_of(const std::string& collective) {
  static const std::map<std::string, Call> calls{
      {"all_reduce", all_reduce}, {"all_gather", all_gather}, {"reduce_scatter", reduce_scatter},
      {"broadcast", broadcast},   {"reduce", reduce},         {"all_to_all", all_to_all},
      {"send_recv", send_recv}};
  const auto found = calls.find(collective);
  if (found == calls.end()) throw DeviceError(fmt::format("NCCL has no \"{}\"", collective));
  return found->second;
}

std::vector<GpuPtr> gpus_of(Gpus& gpus, const calibration::CollectiveCall& work) {
  std::vector<GpuPtr> chosen;
  for (const std::size_t gpu : work.gpus) chosen.push_back(gpus.at(gpu));
  return chosen;
}

/// Stream and memory of a rank. Both buffers hold the whole size, the most that any call needs.
struct RankMemory {
  RankMemory(const GpuPtr& gpu, std::size_t size) : stream(gpu), from(gpu, size), to(gpu, size) {
    fill_random(stream, from.address(), Number::kFp32, static_cast<std::int64_t>(size / 4));
    stream.synchronize();
  }

  Stream stream;
  DeviceMemory from;
  DeviceMemory to;
};

/// Times are from the host's clock, from the first call to the end of all streams, as events of
/// one GPU cannot time several. The communicator is kept between calls with the same GPUs and
/// settings, as creating one takes seconds.
class CollectiveWork : public PreparedWork {
 public:
  CollectiveWork(std::shared_ptr<Communicator> communicator, Call call, std::size_t size)
      : communicator_(std::move(communicator)), call_(call) {
    for (std::size_t own = 0; own < communicator_->size(); ++own) {
      memory_.push_back(std::make_unique<RankMemory>(communicator_->gpu(own), size));
      const RankMemory& memory = *memory_.back();
      ranks_.push_back({communicator_->handle(own), static_cast<int>(communicator_->rank(own)),
                        static_cast<int>(communicator_->ranks()),
                        static_cast<const float*>(memory.from.pointer()),
                        static_cast<float*>(memory.to.pointer()), size / sizeof(float),
                        memory.stream.handle()});
    }
  }

  double seconds(std::size_t repeats) override {
    const auto enqueue = [this](std::size_t own) { call_(ranks_[own]); };
    const HostClock clock;
    for (std::size_t i = 0; i < repeats; ++i) {
      communicator_->group(enqueue);
    }
    synchronize();
    return clock.seconds();
  }

 private:
  void synchronize() {
    try {
      for (const auto& memory : memory_) {
        memory->stream.gpu().make_current();
        memory->stream.synchronize();
      }
    } catch (const DeviceError&) {
      communicator_->give_up();
      throw;
    }
  }

  std::shared_ptr<Communicator> communicator_;
  std::vector<std::unique_ptr<RankMemory>> memory_;
  Call call_;
  std::vector<Rank> ranks_;
};

/// The communicator of the last call if the key is the same, else a new one from `make`.
std::shared_ptr<Communicator> communicator_of(
    Gpus& gpus, const std::string& key, const calibration::CollectiveCall& work,
    const std::function<std::shared_ptr<Communicator>()>& make) {
  KeptCommunicator& kept = gpus.kept_communicator();
  if (kept.communicator && kept.key == key && !kept.communicator->is_broken()) {
    return kept.communicator;
  }
  kept = {};
  // NCCL reads both when it creates a communicator.
  const EnvironmentVariable algorithm("NCCL_ALGO", work.algorithm);
  const EnvironmentVariable protocol("NCCL_PROTO", work.protocol);
  kept = {key, make()};
  return kept.communicator;
}

std::size_t checked_call_size(const calibration::CollectiveCall& work) {
  const std::size_t size = checked_size(work.size);
  if (size > 0 && size / sizeof(float) < work.gpus.size()) {
    throw DeviceError("a collective call of less than a number for each rank");
  }
  return size;
}

}  // namespace

std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus, const calibration::CollectiveCall& work) {
  const std::size_t size = checked_call_size(work);
  const std::string key = fmt::format("GPUs {} {} {}", fmt::join(work.gpus, ","),
                                      work.algorithm.value_or(""), work.protocol.value_or(""));
  const auto make = [&] { return std::make_shared<Communicator>(gpus_of(gpus, work)); };
  return std::make_unique<CollectiveWork>(communicator_of(gpus, key, work, make),
                                          call_of(work.collective), size);
}

std::string new_call_id() {
  ncclUniqueId id{};
  check(nccl().unique_id(&id), "ncclGetUniqueId");
  return {reinterpret_cast<const char*>(&id), sizeof id};
}

std::unique_ptr<PreparedWork> prepare_rank(Gpus& gpus, const calibration::CollectiveCall& work,
                                           const CallRank& rank) {
  const std::size_t size = checked_call_size(work);
  const auto make = [&] {
    return std::make_shared<Communicator>(gpus.at(rank.gpu), rank.id, rank.rank, work.gpus.size());
  };
  return std::make_unique<CollectiveWork>(communicator_of(gpus, "id " + rank.id, work, make),
                                          call_of(work.collective), size);
}

}  // namespace vgsim::probe::cuda
