#include "models/training/parallelism.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace vgsim::training {
namespace {

using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

/// Index of the rank in its data axis.
std::size_t replica_of(const Parallelism& p, const AxisPlace& at) {
  return at.data * p.context + at.context;
}

/// The indices that the ranks of a group have in common.
Key key_of(const Parallelism& p, Axis axis, const AxisPlace& at) {
  switch (axis) {
    case Axis::kTensor:
      return {at.pipeline, at.data, at.context, 0};
    case Axis::kContext:
      return {at.pipeline, at.data, at.tensor, 0};
    case Axis::kData:
      return {at.pipeline, at.tensor, 0, 0};
    case Axis::kExpert:
      return {at.pipeline, at.context, at.tensor, at.data / p.expert};
    case Axis::kExpertData:
      return {at.pipeline, at.tensor, at.data % p.expert, 0};
    case Axis::kPipeline:
      return {at.data, at.context, at.tensor, 0};
    case Axis::kShard:
      return {at.pipeline, at.tensor, replica_of(p, at) / p.sharding_ranks(), 0};
    case Axis::kReplica:
      return {at.pipeline, at.tensor, replica_of(p, at) % p.sharding_ranks(), 0};
    case Axis::kReshard:
      return {at.pipeline, at.tensor, replica_of(p, at) / p.reshard_size.value_or(1), 0};
  }
  return {};
}

PipelineOp nth(const Parallelism& p, std::size_t k, Pass pass) {
  const std::size_t chunk = k / p.pipeline % p.virtual_stages;
  return {pass, pass == Pass::kForward ? chunk : p.virtual_stages - 1 - chunk,
          k / (p.pipeline * p.virtual_stages) * p.pipeline + k % p.pipeline};
}

}  // namespace

const char* to_string(Axis axis) {
  switch (axis) {
    case Axis::kTensor:
      return "tensor parallel";
    case Axis::kContext:
      return "context parallel";
    case Axis::kData:
      return "data parallel";
    case Axis::kExpert:
      return "expert parallel";
    case Axis::kExpertData:
      return "data parallel, experts";
    case Axis::kPipeline:
      return "pipeline";
    case Axis::kShard:
    case Axis::kReshard:
      return "data parallel, in shards";
    case Axis::kReplica:
      return "data parallel, between copies";
  }
  return "?";
}

AxisPlace place_of(const Parallelism& p, std::size_t rank) {
  return {rank % p.tensor, rank / p.tensor % p.context, rank / (p.tensor * p.context) % p.data,
          rank / (p.tensor * p.context * p.data)};
}

std::vector<std::vector<std::size_t>> groups(const Parallelism& parallelism, Axis axis) {
  std::map<Key, std::vector<std::size_t>> by_key;
  for (std::size_t rank = 0; rank < parallelism.ranks(); ++rank) {
    by_key[key_of(parallelism, axis, place_of(parallelism, rank))].push_back(rank);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [key, ranks] : by_key) result.push_back(std::move(ranks));
  return result;
}

std::size_t group_size(const Parallelism& p, Axis axis) {
  switch (axis) {
    case Axis::kTensor:
      return p.tensor;
    case Axis::kContext:
      return p.context;
    case Axis::kData:
      return p.data * p.context;
    case Axis::kExpert:
      return p.expert;
    case Axis::kExpertData:
      return p.data / p.expert * p.context;
    case Axis::kPipeline:
      return p.pipeline;
    case Axis::kShard:
      return p.shard_size == 0 ? 1 : p.shard_size;
    case Axis::kReplica:
      return p.shard_size == 0 ? 1 : p.data * p.context / p.shard_size;
    case Axis::kReshard:
      return p.reshard_size.value_or(1);
  }
  return 1;
}

std::vector<PipelineOp> pipeline_order(const Parallelism& p, std::size_t stage) {
  const auto micro_batches = static_cast<std::size_t>(p.micro_batches);
  const std::size_t all = micro_batches * p.virtual_stages;
  if (p.virtual_stages > 1 && micro_batches % p.pipeline != 0) {
    throw std::invalid_argument(
        "micro-batches of an interleaved schedule are not a multiple of stages");
  }
  std::size_t ahead = all;
  if (p.schedule != Schedule::kGpipe) {
    const std::size_t behind = p.pipeline - 1 - stage;
    ahead = p.virtual_stages == 1 ? behind : 2 * behind + (p.virtual_stages - 1) * p.pipeline;
    ahead = std::min(ahead, all);
  }
  // Weight gradients of a stage are delayed by as many micro-batches as there are stages before it.
  const bool apart = p.schedule == Schedule::kZeroBubble;
  const std::size_t late = apart ? std::min(stage, all) : 0;
  std::vector<PipelineOp> order;
  const auto add = [&](std::size_t k, Pass pass) {
    order.push_back(p.virtual_stages == 1 ? PipelineOp{pass, 0, k} : nth(p, k, pass));
  };
  const auto add_backward = [&](std::size_t k) {
    add(k, Pass::kBackward);
    if (apart && k >= late) add(k - late, Pass::kWeights);
  };
  for (std::size_t k = 0; k < ahead; ++k) add(k, Pass::kForward);
  for (std::size_t k = ahead; k < all; ++k) {
    add(k, Pass::kForward);
    add_backward(k - ahead);
  }
  for (std::size_t k = all - ahead; k < all; ++k) add_backward(k);
  for (std::size_t k = all - late; k < all; ++k) add(k, Pass::kWeights);
  return order;
}

}  // namespace vgsim::training
