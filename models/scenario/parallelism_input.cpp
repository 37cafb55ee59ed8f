#include "models/scenario/parallelism_input.hpp"

#include <fmt/core.h>

#include <optional>

#include "topology/host_input.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using training::Parallelism;
using training::Recompute;
using training::Schedule;
using training::Sharding;

std::vector<std::string> sharding_words() {
  return {"none", "zero1", "zero2", "zero3", "ddp", "fsdp"};
}

/// The word that the others stand for.
Value plain_sharding(const Value& word) {
  if (!word.is_string()) return word;
  if (word.string() == "fsdp") return Value::make_string("zero3", word.origin());
  if (word.string() == "ddp") return Value::make_string("none", word.origin());
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

Shape parallel_shape() {
  const auto ranks = [] { return count_shape(1, 1'000'000); };
  return object_shape({
      field("data", any_of_shape({enum_shape({"all"}), ranks()}))
          .describe("replicas of the network")
          .default_text("all ranks that the other axes leave"),
      field("tensor", ranks()).describe("ranks that share each matrix product").default_text("1"),
      field("pipeline", ranks()).describe("stages that the layers are cut into").default_text("1"),
      field("context", ranks())
          .describe("ranks that share the tokens of a sequence")
          .default_text("1"),
      field("expert", ranks())
          .describe("of the data-parallel ranks, how many share out the experts")
          .default_text("1"),
      field("virtual_stages", count_shape(1, 1000))
          .describe("chunks of layers of each stage (interleaved schedule)")
          .default_text("1"),
      field("schedule", enum_shape({"1f1b", "gpipe"})).default_text("1f1b"),
      field("sequence", boolean_shape())
          .describe("tensor-parallel ranks split norms and dropout by tokens")
          .default_text("false"),
      field("sharding", enum_shape(sharding_words()))
          .describe(
              "what data-parallel ranks share out: optimizer states, gradients too, parameters "
              "too; fsdp is another word for zero3, ddp for none")
          .default_text("none"),
  });
}

std::size_t size_of(const std::optional<Value>& parallel, const char* name) {
  const auto value = parallel ? find(*parallel, name) : std::nullopt;
  return value && !value->is_string() ? static_cast<std::size_t>(as_count(*value)) : 1;
}

std::string word_of(const std::optional<Value>& object, const char* name) {
  const auto value = object ? find(*object, name) : std::nullopt;
  return value ? as_string(*value) : std::string();
}

class Reader {
 public:
  Reader(const Value& job, std::size_t ranks, Diagnostics& diagnostics)
      : job_(job), parallel_(find(job, "parallel")), ranks_(ranks), diagnostics_(diagnostics) {}

  /// Whether anything is said that plain data parallelism does not have.
  [[nodiscard]] bool is_more_than_data() const {
    const std::string recompute = word_of(job_, "recompute");
    if (!recompute.empty() && recompute != "none") return true;
    for (const char* axis : {"tensor", "pipeline", "context", "expert"}) {
      if (size_of(parallel_, axis) > 1) return true;
    }
    const std::string sharding = word_of(parallel_, "sharding");
    return !sharding.empty() && sharding != "none";
  }

  /// Whether parameters are sharded beside a pipeline.
  [[nodiscard]] bool gathers_once() const {
    return word_of(parallel_, "sharding") == "zero3" && size_of(parallel_, "pipeline") > 1;
  }

  Parallelism read(const TrainingJob& training) {
    Parallelism p;
    p.tensor = size_of(parallel_, "tensor");
    p.pipeline = size_of(parallel_, "pipeline");
    p.context = size_of(parallel_, "context");
    p.expert = size_of(parallel_, "expert");
    p.virtual_stages = size_of(parallel_, "virtual_stages");
    read_words(p);
    const std::size_t model = p.tensor * p.pipeline * p.context;
    if (model > ranks_ || ranks_ % model != 0) {
      complain(fmt::format("{} x {} x {} ranks of tensor, pipeline and context parallelism do not "
                           "divide {} GPUs",
                           p.tensor, p.pipeline, p.context, ranks_),
               "a product that divides the number of GPUs");
      return p;
    }
    p.data = ranks_ / model;
    p.flash_attention = training.flash_attention;
    check_axes(p, training);
    if (!diagnostics_.has_errors()) read_batch(p, training);
    return p;
  }

  /// Reports keys that describe how plain data parallelism reduces its gradients.
  void check_keys_of_plain_data() const {
    for (const char* key : {"pattern", "buckets"}) {
      if (const auto value = find(job_, key)) {
        topology::report(diagnostics_, *value,
                         fmt::format("\"{}\" belongs to plain data parallelism", key),
                         "neither \"parallel\" nor micro-batches beside it");
      }
    }
  }

  /// Replicas that were asked for, where they are not as many as there can be.
  void check_data(std::size_t data) {
    const auto value = parallel_ ? find(*parallel_, "data") : std::nullopt;
    if (!value || value->is_string()) return;
    if (static_cast<std::size_t>(as_count(*value)) == data) return;
    topology::report(
        diagnostics_, *value,
        fmt::format("{} replicas, and {} GPUs hold {}", as_count(*value), ranks_, data),
        "\"all\", or that number");
  }

 private:
  void complain(std::string message, std::string expected) {
    topology::report(diagnostics_, parallel_.value_or(job_), std::move(message),
                     std::move(expected));
  }

  void read_words(Parallelism& p) const {
    if (word_of(parallel_, "schedule") == "gpipe") p.schedule = Schedule::kGpipe;
    const std::string sharding = word_of(parallel_, "sharding");
    if (sharding == "zero1") p.sharding = Sharding::kOptimizer;
    if (sharding == "zero2") p.sharding = Sharding::kGradients;
    if (sharding == "zero3") {
      p.sharding = p.pipeline > 1 ? Sharding::kOptimizer : Sharding::kParameters;
    }
    const auto sequence = parallel_ ? find(*parallel_, "sequence") : std::nullopt;
    p.sequence = sequence && as_bool(*sequence);
    const std::string recompute = word_of(job_, "recompute");
    if (recompute == "selective") p.recompute = Recompute::kSelective;
    if (recompute == "full") p.recompute = Recompute::kFull;
  }

  void check_axes(const Parallelism& p, const TrainingJob& training) {
    check_data(p.data);
    const auto& transformer = training.network->transformer;
    const std::size_t chunks = p.pipeline * p.virtual_stages;
    const std::size_t cuts = transformer ? static_cast<std::size_t>(transformer->layers)
                                         : training.network->layers.size();
    const bool ends_apart = transformer && chunks == cuts + 2;  // embedding and output
    if (chunks > cuts && !ends_apart) {
      complain(fmt::format("{} has {} layers for {} stages", training.network->name, cuts, chunks),
               "fewer stages");
    }
    const bool splits = p.tensor > 1 || p.context > 1 || p.expert > 1;
    if (splits && !transformer) {
      complain(
          fmt::format("{} is no transformer: its layers are not split", training.network->name),
          "data and pipeline parallelism alone");
    } else if (transformer && static_cast<std::size_t>(transformer->heads) % p.tensor != 0) {
      complain(fmt::format("{} heads are not split over {} ranks", transformer->heads, p.tensor),
               "a number that divides the heads");
    }
    if (p.data % p.expert != 0) {
      complain(fmt::format("{} data-parallel ranks are not split into groups of {} for experts",
                           p.data, p.expert),
               "a number that divides them");
    } else if (p.expert > 1 && transformer &&
               transformer->experts % static_cast<std::int64_t>(p.expert) != 0) {
      complain(
          fmt::format("{} experts are not split over {} ranks", transformer->experts, p.expert),
          "a number that divides the experts");
    }
    if (p.expert > 1 && transformer && transformer->experts == 0) {
      complain(fmt::format("{} has no experts", training.network->name), "no \"expert\"");
    }
    if (p.schedule == Schedule::kGpipe && p.virtual_stages > 1) {
      complain("GPipe has one chunk of layers for each stage", "\"schedule\": \"1f1b\"");
    }
    if (p.recompute != Recompute::kNone && !transformer) {
      topology::report(diagnostics_, *find(job_, "recompute"),
                       fmt::format("{} is no transformer: what it would recompute is not known",
                                   training.network->name),
                       "\"none\"");
    }
  }

  void read_batch(Parallelism& p, const TrainingJob& training) {
    const auto count = [&](const char* key) {
      const auto value = find(job_, key);
      return value ? std::optional(as_count(*value)) : std::nullopt;
    };
    p.micro_batch = count("micro_batch").value_or(training.batch_per_gpu);
    p.micro_batches = count("accumulation").value_or(1);
    const auto global = count("global_batch");
    if (!global) return;
    const std::int64_t step = p.micro_batch * static_cast<std::int64_t>(p.data);
    if (*global % step != 0) {
      topology::report(
          diagnostics_, *find(job_, "global_batch"),
          fmt::format("a global batch of {} is no multiple of {} replicas x micro-batches "
                      "of {}",
                      *global, p.data, p.micro_batch),
          fmt::format("a multiple of {}", step));
      return;
    }
    p.micro_batches = *global / step;
    if (p.virtual_stages > 1 && p.micro_batches % static_cast<std::int64_t>(p.pipeline) != 0) {
      complain(
          fmt::format("{} micro-batches are no multiple of {} stages", p.micro_batches, p.pipeline),
          "a multiple, for the interleaved schedule");
    }
  }

  const Value& job_;
  std::optional<Value> parallel_;
  std::size_t ranks_;
  Diagnostics& diagnostics_;
};

/// What is kept of each parameter: weights and gradients in the passes' type, or in 32 bits; Adam
/// has two moments, SGD one, and 16-bit weights a copy in 32 bits.
training::StateBytes state_of(const Value& job, bool by_default_16_bit,
                              const TrainingJob& training) {
  training::StateBytes state;
  const std::string weights = word_of(job, "weights");
  const bool half = weights.empty() ? by_default_16_bit : weights == "16bit";
  const std::string optimizer = word_of(job, "optimizer");
  const double moments = optimizer == "none" ? 0 : optimizer == "sgd" ? 4 : 8;
  const bool computes_32 = training.precision == "fp32" || training.precision == "tf32";
  state.weight = half && !computes_32 ? 2 : 4;
  state.gradient = static_cast<double>(training.gradient_bytes.count());
  state.optimizer = moments + (state.weight == 2 ? 4 : 0);
  state.activation = computes_32 ? 4 : 2;
  return state;
}

}  // namespace

std::vector<Field> parallelism_fields() {
  return {
      field("parallel", any_of_shape({parallel_shape(), enum_shape(sharding_words())}))
          .describe("how the work is split over the ranks; a word alone is the sharding of ranks "
                    "that are all data-parallel")
          .examples({"fsdp"}),
      field("global_batch", count_shape(1, 1'000'000'000))
          .describe("samples of all ranks in one iteration, in micro-batches"),
      field("micro_batch", count_shape(1, 1'000'000))
          .describe("samples that go through the network at a time")
          .default_text("\"batch_per_gpu\""),
      field("accumulation", count_shape(1, 1'000'000))
          .describe("micro-batches before gradients are reduced, where no global batch is given")
          .default_text("1"),
      field("recompute", enum_shape({"none", "selective", "full"}))
          .describe(
              "activations that the backward pass computes again: scores of attention, or all "
              "of a block")
          .default_text("none"),
      field("flash_attention", any_of_shape({boolean_shape(), count_shape(1, 3)}))
          .describe("scores of attention are not kept in memory; the release of FlashAttention")
          .default_text("3 on Hopper and later, 2 before"),
      field("weights", enum_shape({"fp32", "16bit"}))
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

void read_parallelism(const Value& job, std::size_t ranks, TrainingJob& training,
                      std::vector<std::string>& assumptions, Diagnostics& diagnostics) {
  if (ranks == 0) return;  // reported
  Reader reader(job, ranks, diagnostics);
  const bool more = reader.is_more_than_data();
  training.state = state_of(job, find(job, "parallel").has_value() || more, training);
  const Parallelism parallelism = reader.read(training);
  if (!more) {
    training.batch_per_gpu = parallelism.micro_batch;
    training.accumulation = parallelism.micro_batches;
    return;
  }
  reader.check_keys_of_plain_data();
  if (reader.gathers_once()) {
    assumptions.emplace_back(
        "job: beside a pipeline, sharded parameters are gathered once an iteration and kept, as "
        "FSDP2 does; traffic and memory of ZeRO-1");
  }
  training.parallelism = parallelism;
  assumptions.emplace_back("job: input is ready when it is needed");
}

}  // namespace vgsim::scenario
