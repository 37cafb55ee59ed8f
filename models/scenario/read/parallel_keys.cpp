#include <algorithm>

#include "models/scenario/read/training_keys.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using training::ContextExchange;
using training::GradientSync;
using training::Recompute;
using training::Schedule;
using training::Sharding;
using training::TensorOverlap;

/// The first word for each is the plain one.
const std::vector<std::pair<std::string, Sharding>>& sharding_words() {
  static const std::vector<std::pair<std::string, Sharding>> all = {
      {"none", Sharding::kNone},       {"zero1", Sharding::kOptimizer},
      {"zero2", Sharding::kGradients}, {"zero3", Sharding::kParameters},
      {"ddp", Sharding::kNone},        {"fsdp", Sharding::kParameters},
      {"zero0", Sharding::kNone},
  };
  return all;
}

/// The word that the others stand for.
Value plain_sharding(const Value& word) {
  if (!word.is_string()) return word;
  const auto& all = sharding_words();
  for (const auto& [text, meaning] : all) {
    if (text != word.string()) continue;
    const auto plain = std::find_if(all.begin(), all.end(), [&, meant = meaning](const auto& each) {
      return each.second == meant;
    });
    return plain->first == text ? word : Value::make_string(plain->first, word.origin());
  }
  return word;
}

Value plain_parallel(const Value& parallel) {
  if (parallel.is_string()) {
    return Value::make_object({{"sharding", parallel.location(), plain_sharding(parallel)}},
                              parallel.origin());
  }
  std::vector<Member> members = parallel.members();
  for (Member& member : members) {
    if (member.name == "sharding") member.value = plain_sharding(member.value);
  }
  return Value::make_object(std::move(members), parallel.origin());
}

/// A word for ranks that share out nothing, which is what holds where nothing is said.
bool is_plain_data(const Member& member) {
  return member.name == "parallel" && member.value.is_string() &&
         plain_sharding(member.value).string() == "none";
}

Decoder<TensorOverlap> tensor_overlap() {
  return any_of<TensorOverlap>({words<TensorOverlap>({{"none", TensorOverlap::kNone},
                                                      {"gradients", TensorOverlap::kGradients},
                                                      {"products", TensorOverlap::kProducts}}),
                                changed(boolean(), [](bool on) {
                                  return on ? TensorOverlap::kProducts : TensorOverlap::kNone;
                                })});
}

Keys<ParallelSpec> axis_keys() {
  using Spec = ParallelSpec;
  const auto ranks = [] { return count(1, 1'000'000); };
  const auto all_or_ranks = any_of<std::optional<std::int64_t>>(
      {words<std::optional<std::int64_t>>({{"all", std::nullopt}}),
       changed(ranks(), [](std::int64_t n) { return std::optional(n); })});
  const auto resharding = any_of<std::optional<std::int64_t>>(
      {changed(boolean(),
               [](bool on) { return on ? std::optional<std::int64_t>() : std::optional(1L); }),
       changed(ranks(), [](std::int64_t n) { return std::optional(n); })});
  return {
      key("data", &Spec::data, all_or_ranks)
          .describe("replicas of the network; all: as many as the other axes leave")
          .default_value("all"),
      key("tensor", &Spec::tensor, ranks())
          .describe("ranks that share each matrix product")
          .default_value("1"),
      key("pipeline", &Spec::pipeline, ranks())
          .describe("stages that the layers are cut into")
          .default_value("1"),
      key("context", &Spec::context, ranks())
          .describe("ranks that share the tokens of a sequence")
          .default_value("1"),
      key("expert", &Spec::expert, ranks())
          .describe("of the data-parallel ranks, how many share out the experts")
          .default_value("1"),
      key("virtual_stages", &Spec::virtual_stages, count(1, 1000))
          .describe("chunks of layers of each stage (interleaved schedule)")
          .default_value("1"),
      key("schedule", &Spec::schedule,
          words<Schedule>({{"1f1b", Schedule::k1f1b},
                           {"gpipe", Schedule::kGpipe},
                           {"zero-bubble", Schedule::kZeroBubble}}))
          .describe("order of micro-batches in a pipeline; zero-bubble: 1f1b with gradients of "
                    "weights computed later (ZB-H1)")
          .default_value("1f1b"),
      key("sequence", &Spec::sequence, boolean())
          .describe("tensor-parallel ranks split norms and dropout by tokens")
          .default_value("false"),
      key("tensor_overlap", &Spec::tensor_overlap, tensor_overlap())
          .describe(
              "beside what tensor-parallel ranks exchange: nothing; gradients, which hide the "
              "sums of a backward pass (as Megatron does); products, in chunks, where they "
              "split by tokens (asynchronous tensor parallelism); false and true are other "
              "words for none and products")
          .default_text("\"gradients\"; with parameters sharded \"none\", as PyTorch"),
      key("sharding", &Spec::sharding, words<Sharding>(sharding_words()))
          .describe(
              "what data-parallel ranks share out: optimizer states, gradients too, parameters "
              "too; fsdp is another word for zero3, ddp and zero0 for none")
          .default_value("none"),
      key("shard_size", &Spec::shard_size, all_or_ranks)
          .describe("data-parallel ranks that share out one copy of what is sharded, neighbours in "
                    "the order of ranks; gradients are summed between copies (HSDP); all: one copy")
          .default_value("all"),
      key("reshard_after_forward", &Spec::reshard_after_forward, resharding)
          .describe("whether parameters are sharded again between forward and backward pass, and "
                    "over how many neighbouring ranks (FSDP2; ZeRO++'s hpZ)")
          .default_value("true"),
      key("gradient_sync", &Spec::gradient_sync,
          words<GradientSync>({{"each", GradientSync::kEach},
                               {"last-between-copies", GradientSync::kLastBetweenCopies},
                               {"last", GradientSync::kLast}}))
          .describe("which micro-batches reduce gradients that are kept sharded: each, each but "
                    "between copies the last, or the last (no_sync, which keeps all of them)")
          .default_value("each"),
      key("context_exchange", &Spec::context_exchange,
          words<ContextExchange>(
              {{"ring", ContextExchange::kRing}, {"heads", ContextExchange::kHeads}}))
          .describe("how ranks that share a sequence see each other's tokens: keys and values go "
                    "round, or each rank gets some heads (Ulysses)")
          .default_value("ring"),
      key("expert_imbalance", &Spec::expert_imbalance, number(1.0, 1000.0))
          .describe("tokens of the busiest rank of experts, to the mean")
          .default_value("1"),
  };
}

/// All axes, or the sharding of ranks that are all data-parallel.
Decoder<ParallelSpec> parallel() {
  const Decoder<ParallelSpec> axes = record<ParallelSpec>(axis_keys());
  const Decoder<ParallelSpec> word{words<Sharding>(sharding_words()).shape,
                                   [axes](const Value& value, Diagnostics& diagnostics) {
                                     return axes.read(plain_parallel(value), diagnostics);
                                   }};
  return any_of<ParallelSpec>({axes, word});
}

Decoder<FlashAttention> flash_attention() {
  return any_of<FlashAttention>({changed(boolean(),
                                         [](bool on) {
                                           return FlashAttention{on, std::nullopt};
                                         }),
                                 changed(count(1, 3), [](std::int64_t release) {
                                   return FlashAttention{true, release};
                                 })});
}

}  // namespace

Keys<TrainingSpec> parallel_keys() {
  using Spec = TrainingSpec;
  return {
      key("parallel", &Spec::parallel, parallel())
          .describe("how the work is split over the ranks; a word alone is the sharding of ranks "
                    "that are all data-parallel")
          .examples({"fsdp"}),
      key("global_batch", &Spec::global_batch, count(1, 1'000'000'000))
          .describe("samples of all ranks in one iteration, in micro-batches"),
      key("micro_batch", &Spec::micro_batch, count(1, 1'000'000))
          .describe("samples that go through the network at a time")
          .default_text("\"batch_per_gpu\""),
      key("accumulation", &Spec::accumulation, count(1, 1'000'000))
          .describe("micro-batches before gradients are reduced, where no global batch is given")
          .default_value("1"),
      key("recompute", &Spec::recompute,
          words<Recompute>({{"none", Recompute::kNone},
                            {"selective", Recompute::kSelective},
                            {"full", Recompute::kFull}}))
          .describe(
              "activations that the backward pass computes again: scores of attention, or all "
              "of a block")
          .default_value("none"),
      key("flash_attention", &Spec::flash_attention, flash_attention())
          .describe("scores of attention are not kept in memory; the release of FlashAttention")
          .default_text("3 on Hopper and later, 2 before"),
      key("fused_norms", &Spec::fused_norms, boolean())
          .describe("a norm is one kernel; false: RMS norms of several, as Hugging Face's and "
                    "Paddle's, which keep their input in 32 bits")
          .default_value("true"),
      key("fused_loss", &Spec::fused_loss, boolean())
          .describe(
              "the loss is one kernel, which leaves gradients in the place of logits, as those "
              "of flash-attn and Liger; false: logits in 32 bits beside them, as PyTorch's")
          .default_value("false"),
      key("weights", &Spec::weights_of_16_bits, words<bool>({{"fp32", false}, {"16bit", true}}))
          .describe(
              "type of the weights in memory; 16bit: with a copy in 32 bits for the optimizer")
          .default_text("16bit with \"parallel\", else fp32 (as autocast has them)"),
  };
}

Value with_plain_parallel(const Value& job) {
  std::vector<Member> members = job.members();
  std::erase_if(members, is_plain_data);
  for (Member& member : members) {
    if (member.name == "parallel") member.value = plain_parallel(member.value);
  }
  return Value::make_object(std::move(members), job.origin());
}

}  // namespace vgsim::scenario
