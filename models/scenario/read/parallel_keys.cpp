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

/// The first word of each value is the canonical one.
const std::vector<std::pair<std::string, Sharding>>& sharding_words() {
  static const std::vector<std::pair<std::string, Sharding>> all = {
      {"none", Sharding::kNone},       {"zero1", Sharding::kOptimizer},
      {"zero2", Sharding::kGradients}, {"zero3", Sharding::kParameters},
      {"ddp", Sharding::kNone},        {"fsdp", Sharding::kParameters},
      {"zero0", Sharding::kNone},
  };
  return all;
}

/// The canonical word of a value.
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

/// Whether a member sets no sharding, which is the default.
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
               [](bool on) {
                 return on ? std::optional<std::int64_t>() : std::optional<std::int64_t>(1);
               }),
       changed(ranks(), [](std::int64_t n) { return std::optional(n); })});
  return {
      key("data", &Spec::data, all_or_ranks)
          .describe(
              "data-parallel replicas of the network; all: all GPUs not used by the other axes")
          .default_value("all"),
      key("tensor", &Spec::tensor, ranks())
          .describe("tensor-parallel ranks: each matrix product is split over them")
          .default_value("1"),
      key("pipeline", &Spec::pipeline, ranks()).describe("pipeline stages").default_value("1"),
      key("context", &Spec::context, ranks())
          .describe("context-parallel ranks: the tokens of a sequence are split over them")
          .default_value("1"),
      key("expert", &Spec::expert, ranks())
          .describe("expert-parallel ranks, a subset of the data-parallel ones")
          .default_value("1"),
      key("virtual_stages", &Spec::virtual_stages, count(1, 1000))
          .describe("model chunks per pipeline stage (interleaved schedule)")
          .default_value("1"),
      key("schedule", &Spec::schedule,
          words<Schedule>({{"1f1b", Schedule::k1f1b},
                           {"gpipe", Schedule::kGpipe},
                           {"zero-bubble", Schedule::kZeroBubble}}))
          .describe("pipeline schedule; zero-bubble: 1f1b with weight gradients "
                    "computed later (ZB-H1)")
          .default_value("1f1b"),
      key("sequence", &Spec::sequence, boolean())
          .describe("sequence parallelism: tensor-parallel ranks split norms and dropout by tokens")
          .default_value("false"),
      key("tensor_overlap", &Spec::tensor_overlap, tensor_overlap())
          .describe(
              "computing overlapped with tensor-parallel communication: none; gradients: weight "
              "gradients overlap the "
              "reductions of the backward pass (Megatron-LM); products: matrix products in chunks, "
              "if ranks "
              "split by tokens (asynchronous tensor parallelism); false and true are synonyms "
              "of none and products")
          .default_text("\"gradients\"; \"none\" with sharded parameters, as in PyTorch"),
      key("sharding", &Spec::sharding, words<Sharding>(sharding_words()))
          .describe("sharded over data-parallel ranks: zero1: optimizer states; zero2: gradients, "
                    "too; zero3: parameters, "
                    "too; fsdp is a synonym of zero3, ddp and zero0 of none")
          .default_value("none"),
      key("shard_size", &Spec::shard_size, all_or_ranks)
          .describe("number of consecutive data-parallel ranks that share one sharded copy; "
                    "gradients are summed between copies (HSDP); all: one copy")
          .default_value("all"),
      key("reshard_after_forward", &Spec::reshard_after_forward, resharding)
          .describe("whether parameters are resharded between forward and backward pass, or "
                    "over how many consecutive ranks (FSDP2; hpZ of ZeRO++)")
          .default_value("true"),
      key("gradient_sync", &Spec::gradient_sync,
          words<GradientSync>({{"each", GradientSync::kEach},
                               {"last-between-copies", GradientSync::kLastBetweenCopies},
                               {"last", GradientSync::kLast}}))
          .describe("micro-batches that reduce sharded gradients: each; each, but "
                    "between copies only the last; or the last (no_sync: gradients stay unsharded)")
          .default_value("each"),
      key("overlap_gather", &Spec::overlap_gather, boolean())
          .describe("zero1, zero2: parameters are gathered during the next forward pass, bucket by "
                    "bucket (overlap_param_gather of Megatron-LM); false: before it")
          .default_value("false"),
      key("context_exchange", &Spec::context_exchange,
          words<ContextExchange>(
              {{"ring", ContextExchange::kRing}, {"heads", ContextExchange::kHeads}}))
          .describe("communication of context-parallel ranks: keys and values rotate in a ring, "
                    "or each rank computes some heads (Ulysses)")
          .default_value("ring"),
      key("expert_imbalance", &Spec::expert_imbalance, number(1.0, 1000.0))
          .describe("tokens of the busiest expert-parallel rank divided by the mean")
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

Decoder<FusedLoss> fused_loss() {
  return any_of<FusedLoss>(
      {changed(boolean(), [](bool on) { return on ? FusedLoss::kInPlace : FusedLoss::kNo; }),
       words<FusedLoss>({{"linear", FusedLoss::kLinear}})});
}

Decoder<OffloadSpec> offload() {
  return record<OffloadSpec>({
      key("optimizer", &OffloadSpec::optimizer, boolean())
          .describe("optimizer states, and the step itself")
          .default_value("false"),
      key("parameters", &OffloadSpec::parameters, boolean())
          .describe("parameters that are sharded, between their uses")
          .default_value("false"),
      key("activations", &OffloadSpec::activations, number(0.0, 1.0))
          .describe("share of the kept activations")
          .default_value("0"),
  });
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
          .describe("parallelism of the job; a word sets the sharding of ranks "
                    "that are all data-parallel")
          .examples({"fsdp"}),
      key("global_batch", &Spec::global_batch, count(1, 1'000'000'000))
          .describe("samples of all ranks per iteration, split into micro-batches"),
      key("micro_batch", &Spec::micro_batch, count(1, 1'000'000))
          .describe("samples of one forward pass")
          .default_text("\"batch_per_gpu\""),
      key("accumulation", &Spec::accumulation, count(1, 1'000'000))
          .describe("micro-batches per gradient reduction, if no global batch is given")
          .default_value("1"),
      key("recompute", &Spec::recompute,
          words<Recompute>({{"none", Recompute::kNone},
                            {"selective", Recompute::kSelective},
                            {"full", Recompute::kFull},
                            {"alternate", Recompute::kAlternate}}))
          .describe("activations recomputed in the backward pass: none, attention scores, all "
                    "of a block, or (alternate) all but results of attention and of every second "
                    "matrix product, as in torchtitan per operator")
          .default_value("none"),
      key("flash_attention", &Spec::flash_attention, flash_attention())
          .describe(
              "FlashAttention: true, false or its major version; attention scores are not stored")
          .default_text("3 in tuned software on Hopper or later, else 2"),
      key("attention", &Spec::fp8_attention, words<bool>({{"16bit", false}, {"fp8", true}}))
          .describe("precision of attention scores; fp8: with Transformer Engine (fp8_dpa)")
          .default_value("16bit"),
      key("fused_norms", &Spec::fused_norms, boolean())
          .describe(
              "a norm is one kernel; false: RMS norms of several kernels, as in Hugging Face and "
              "Paddle, which store their input in 32 bits")
          .default_value("true"),
      key("fused_loss", &Spec::fused_loss, fused_loss())
          .describe("true: the loss is one kernel that overwrites logits with gradients, as "
                    "in flash-attn; linear: output and loss are computed in chunks, and logits "
                    "never exist together, as in Liger; false: additional logits in 32 bits, as in "
                    "PyTorch")
          .default_value("false"),
      key("weights", &Spec::weight_bits,
          words<std::int64_t>({{"fp32", 32}, {"16bit", 16}, {"fp8", 8}}))
          .describe("type of the weights in memory; 16bit, fp8: with a 32-bit master copy for the "
                    "optimizer (fp8: fp8_param_gather of Megatron-LM)")
          .default_text("16bit with \"parallel\", otherwise fp32 (as with autocast)"),
      key("master_weights", &Spec::master_weights, boolean())
          .describe("16-bit weights have a 32-bit copy for the optimizer; false: none, and moments "
                    "have 16 bits as well (memory only)")
          .default_value("true"),
      key("moments", &Spec::moments,
          words<Moments>({{"fp32", Moments::kFp32},
                          {"16bit", Moments::k16Bit},
                          {"8bit", Moments::k8Bit},
                          {"4bit", Moments::k4Bit}}))
          .describe("type of the optimizer's moments in memory")
          .default_text("fp32; 16bit without \"master_weights\""),
      key("optimizer_step", &Spec::foreach_step, words<bool>({{"fused", false}, {"foreach", true}}))
          .describe("foreach: the optimizer steps over lists of all tensors, which takes a copy of "
                    "the parameters (PyTorch without fused=True)")
          .default_value("fused"),
      key("optimizer_in_backward", &Spec::optimizer_in_backward, boolean())
          .describe("each gradient is used and freed in the backward pass (memory only)")
          .default_value("false"),
      key("kept_inputs", &Spec::fp8_inputs, words<bool>({{"16bit", false}, {"fp8", true}}))
          .describe("type in which inputs of matrix products are kept for the backward pass "
                    "(memory only)")
          .default_text("fp8 with \"precision\": \"fp8\", as in Transformer Engine; 16bit with "
                        "\"fsdp\", as in torchao"),
      key("offload", &Spec::offload, offload())
          .describe("what lies in the memory of the host instead of the GPU's: copies over PCIe "
                    "run beside the passes, and the CPU steps the optimizer"),
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
