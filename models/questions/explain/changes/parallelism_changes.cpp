#include <fmt/core.h>

#include "models/questions/explain/changes/document.hpp"

namespace vgsim::scenario {
namespace {

std::int64_t count_at(const input::Value& document, const char* pointer, std::int64_t otherwise) {
  const auto value = value_at(document, pointer);
  return value && value->kind() == input::Kind::integer ? value->integer() : otherwise;
}

/// Half and twice as many ranks along an axis, the others left to data parallelism.
void add_axis(const Situation& at, const char* axis, std::vector<Change>& changes) {
  const std::string pointer = fmt::format("/job/parallel/{}", axis);
  const std::int64_t now = count_at(at.document, pointer.c_str(), 1);
  for (const std::int64_t other : {now / 2, now * 2}) {
    if (other < 1 || other == now) continue;
    changes.push_back({fmt::format("{}-parallelism", axis),
                       fmt::format("{} parallelism of {} instead of {}", axis, other, now),
                       {set_number(pointer, static_cast<double>(other))},
                       {"memory that is large enough: vgsim says so"},
                       {},
                       false});
  }
}

void add_text(const Situation& at, const char* id, const char* pointer, const char* word,
              const char* otherwise, const std::string& title, std::vector<Change>& changes) {
  if (text_at(at.document, pointer, otherwise) == word) return;
  changes.push_back({id, title, {set_text(pointer, word)}, {}, {}, false});
}

}  // namespace

void add_parallelism_changes(const Situation& at, std::vector<Change>& changes) {
  // Jobs that split their data alone are simulated over the links, others are not: their times
  // would differ by that alone.
  if (!at.result.training || !at.result.links.empty()) return;
  for (const char* axis : {"tensor", "pipeline", "context"}) add_axis(at, axis, changes);
  const std::int64_t stages = count_at(at.document, "/job/parallel/pipeline", 1);
  const std::int64_t chunks = count_at(at.document, "/job/parallel/virtual_stages", 1);
  if (stages > 1) {
    changes.push_back(
        {"interleaving",
         fmt::format("{} chunks of layers on each stage", 2 * chunks),
         {set_number("/job/parallel/virtual_stages", 2.0 * static_cast<double>(chunks))},
         {"layers that divide so, and more traffic between stages"},
         {},
         false});
  }
  const auto sequence = value_at(at.document, "/job/parallel/sequence");
  if (!sequence && count_at(at.document, "/job/parallel/tensor", 1) > 1) {
    changes.push_back({"sequence-parallelism",
                       "norms and dropout split by tokens",
                       {set_flag("/job/parallel/sequence", true)},
                       {},
                       {},
                       false});
  }
  add_text(at, "recomputation", "/job/recompute", "none", "none", "nothing computed again",
           changes);
  add_text(at, "recomputation", "/job/recompute", "selective", "none",
           "only attention scores computed again", changes);
  add_text(at, "sharding", "/job/parallel/sharding", "none", "none", "nothing sharded", changes);
  add_text(at, "sharding", "/job/parallel/sharding", "zero1", "none",
           "optimizer states sharded (ZeRO-1)", changes);
  const std::int64_t micro = count_at(at.document, "/job/micro_batch", 0);
  if (micro > 0) {
    changes.push_back({"micro-batch",
                       fmt::format("micro-batches of {} instead of {}", 2 * micro, micro),
                       {set_number("/job/micro_batch", 2.0 * static_cast<double>(micro))},
                       {"memory for their activations"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
