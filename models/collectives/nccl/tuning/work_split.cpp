#include "models/collectives/nccl/tuning/work_split.hpp"

#include <algorithm>

#include "models/collectives/nccl/tuning/chunk_size.hpp"

namespace vgsim::collectives::nccl {
namespace {

constexpr int kWarp = 32;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t bytes_per_thread(const AlgorithmCall& call) {
  if (call.record.bytes_per_thread != nullptr) return call.record.bytes_per_thread(call);
  return call.constants.work.bytes_per_thread[static_cast<std::size_t>(call.protocol)];
}

/// Reduces channels, then threads, until each thread has enough work.
void set_channels_and_warps(const AlgorithmCall& call, Bytes size, WorkSplit& split) {
  const AlgorithmRecord& record = call.record;
  const WorkConstants& work = call.constants.work;
  split.channels = record.most_channels ? record.most_channels(call.comm) : call.comm.channels;
  int threads = record.most_threads ? record.most_threads(call) : work.threads_all;
  const std::int64_t least = bytes_per_thread(call);
  const auto too_many = [&] { return size.count() < split.channels * threads * least; };
  if (!record.keeps_channels) {
    while (split.channels > 1 && too_many()) --split.channels;
    while (threads % 128 == 0 && too_many()) threads /= 2;
  }
  if (call.simple()) threads += record.spare_warps * kWarp;
  if (record.ends_with_all_threads) threads = work.threads_all;
  split.warps = std::max(threads / kWarp, 3);
}

void share_equally(std::int64_t bytes, WorkSplit& split) {
  split.channels_used = split.channels;
  split.first = split.middle = split.last = split.dealt = Bytes{divide_up(bytes, split.channels)};
}

/// The cells of each channel. NCCL fills the first channel with its fair share and assigns the rest
/// to the following ones; if they cannot hold it, they share it equally.
struct Deal {
  std::int64_t first = 0, middle = 0, last = 0;
  int used = 1;
};

Deal deal_cells(std::int64_t cells, std::int64_t fair, int channels) {
  Deal deal;
  deal.first = channels == 1 ? cells : std::min(cells, fair);
  const std::int64_t rest = cells - deal.first;
  std::int64_t between = rest / fair;
  deal.middle = fair;
  deal.last = rest % fair;
  if (1 + between + (deal.last > 0 ? 1 : 0) > channels) {
    between = channels - 2;
    deal.middle = rest / (between + 1);
    deal.last = deal.middle + rest % (between + 1);
  }
  if (deal.last == 0 && between > 0) {
    deal.last = deal.middle;
    --between;
  }
  deal.used = static_cast<int>(1 + between + (deal.last > 0 ? 1 : 0));
  if (deal.last == 0) deal.last = deal.first;
  if (between == 0) deal.middle = deal.first;
  return deal;
}

/// From 2.23 on. Bytes are counted once for each time a rank sends or receives them, LL four times.
void share_in_cells(const AlgorithmCall& call, std::int64_t bytes, WorkSplit& split) {
  const std::int64_t times = call.gathers() ? call.comm.ranks : call.all_reduce() ? 2 : 1;
  const std::int64_t least = call.constants.work.least_traffic_per_channel->count();
  const std::int64_t weight = call.protocol == Protocol::kLl ? 4 * times : times;
  const std::int64_t cell = divide_up(divide_up(least, weight), 16) * 16;
  const std::int64_t cells = divide_up(bytes, cell);
  const std::int64_t fair_traffic = std::max(least, bytes * times / split.channels);
  const std::int64_t fair = std::min(cells, divide_up(fair_traffic, cell * weight));
  const Deal deal = deal_cells(cells, fair, split.channels);
  const std::int64_t missing = cells * cell - bytes;  // of the last cell
  split.channels_used = deal.used;
  split.first = Bytes{deal.first * cell - (deal.used == 1 ? missing : 0)};
  split.middle = deal.used > 2 ? Bytes{deal.middle * cell} : split.first;
  split.last = deal.used > 1 ? Bytes{deal.last * cell - missing} : split.first;
  split.dealt = Bytes{std::min(bytes, fair * cell)};
}

}  // namespace

WorkSplit split_work(Function function, Algorithm algorithm, Protocol protocol, Bytes size,
                     const Communicator& communicator, const Constants& constants) {
  const AlgorithmCall call{function, protocol, record_of(algorithm), communicator, constants};
  WorkSplit split;
  set_channels_and_warps(call, size, split);
  const std::int64_t bytes = std::max<std::int64_t>(
      1, call.gathers() ? divide_up(size.count(), communicator.ranks) : size.count());
  if (constants.work.least_traffic_per_channel) {
    share_in_cells(call, bytes, split);
  } else {
    share_equally(bytes, split);
  }
  split.chunk = chunk_size(call, split.dealt);
  if (call.has_deep_chunks()) {
    split.slots_per_chunk = static_cast<int>(constants.work.ring_simple_slots_per_chunk);
    split.slots_per_slice = static_cast<int>(constants.work.ring_simple_slots_per_slice);
  }
  return split;
}

}  // namespace vgsim::collectives::nccl
