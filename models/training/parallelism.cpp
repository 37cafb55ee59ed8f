#include "models/training/parallelism.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

namespace vgsim::training {
namespace {

using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>;

/// What the ranks of a group have in common.
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
  }
  return {};
}

PipelineOp nth(const Parallelism& p, std::size_t k, bool forward) {
  const std::size_t chunk = k / p.pipeline % p.virtual_stages;
  return {forward, forward ? chunk : p.virtual_stages - 1 - chunk,
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
  }
  return 1;
}

std::vector<PipelineOp> pipeline_order(const Parallelism& p, std::size_t stage) {
  const auto micro_batches = static_cast<std::size_t>(p.micro_batches);
  const std::size_t all = micro_batches * p.virtual_stages;
  if (p.virtual_stages > 1 && micro_batches % p.pipeline != 0) {
    throw std::invalid_argument(
        "micro-batches of an interleaved schedule are no multiple of stages");
  }
  std::size_t ahead = all;
  if (p.schedule == Schedule::k1f1b) {
    const std::size_t behind = p.pipeline - 1 - stage;
    ahead = p.virtual_stages == 1 ? behind : 2 * behind + (p.virtual_stages - 1) * p.pipeline;
    ahead = std::min(ahead, all);
  }
  const auto op = [&](std::size_t k, bool forward) {
    return p.virtual_stages == 1 ? PipelineOp{forward, 0, k} : nth(p, k, forward);
  };
  std::vector<PipelineOp> order;
  for (std::size_t k = 0; k < ahead; ++k) order.push_back(op(k, true));
  for (std::size_t k = ahead; k < all; ++k) {
    order.push_back(op(k, true));
    order.push_back(op(k - ahead, false));
  }
  for (std::size_t k = all - ahead; k < all; ++k) order.push_back(op(k, false));
  return order;
}

}  // namespace vgsim::training
