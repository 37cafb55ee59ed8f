#include "models/scenario/build/training_builder.hpp"

#include <fmt/core.h>

#include <optional>

#include "models/scenario/read/library.hpp"
#include "models/training/lora.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::At;
using input::Diagnostics;
using topology::report;

/// Iterations per epoch of a measured step: arbitrary, since only rates matter.
constexpr std::int64_t kStepsOfMeasured = 1000;

/// Builds the training job, and lists used defaults among the assumptions.
class TrainingBuilder {
 public:
  TrainingBuilder(const At<JobSpec>& job, const Library& library, const input::FileLoader& load,
                  std::vector<std::string>& assumptions, Diagnostics& diagnostics)
      : job_(job),
        spec_(job->training),
        library_(library),
        load_(load),
        assumptions_(assumptions),
        diagnostics_(diagnostics) {}

  training::TrainingJob build() {
    training::TrainingJob training;
    training.network = network();
    if (training.network == nullptr) return training;
    training.stored_bytes = training.network->stored_bytes;
    training.parallelism.micro_batch = noted("batch_per_gpu", spec_.batch_per_gpu);
    training.tokens = tokens(*training.network);
    const std::string precision = noted("precision", spec_.precision);
    training.precision = precision == "bf16" ? "fp16" : precision;
    training.gradient_bytes = Bytes{noted("gradients", spec_.gradients) == "fp32" ? 4 : 2};
    training.optimizer_bytes = optimizer_bytes(noted("optimizer", spec_.optimizer));
    training.buckets = buckets(training.gradient_bytes);
    training.achieved_share = spec_.achieved_share;
    training.launch_interval = spec_.launch_interval;
    training.launch_factor = spec_.launch_factor;
    if (spec_.flash_attention) {
      training.flash_attention = spec_.flash_attention->on;
      training.flash_version = spec_.flash_attention->release;
    }
    training.fp8_attention = spec_.fp8_attention;
    training.cuda_graphs = spec_.cuda_graphs;
    training.matrix_share = spec_.matrix_share;
    training.compute_factor = spec_.compute_factor;
    training.tuned = spec_.tuned;
    training.overlap = spec_.overlap;
    training.prefetched_batches = prefetched_batches();
    training.epochs = epochs(*training.network);
    training.input = input_pipeline(*training.network);
    find_epoch(training);
    return training;
  }

 private:
  void note(const char* name, const std::string& value) {
    assumptions_.push_back(fmt::format("job: {} not given, {}", name, value));
  }

  template <class T>
  const T& noted(const char* name, const At<T>& value) {
    if (!value.given) note(name, fmt::format("{}", *value));
    return *value;
  }

  std::shared_ptr<const training::NetworkModel> network() {
    const At<NetworkSpec>& named = *spec_.network;
    const auto network =
        named->described
            ? named->described
            : library_.networks->find({named->name, named.origin, true}, load_, diagnostics_);
    if (network == nullptr || !spec_.lora) return network;
    if (network->transformer) {
      return std::make_shared<const training::NetworkModel>(
          training::with_adapters(*network, **spec_.lora));
    }
    report(diagnostics_, *spec_.lora,
           fmt::format("{} is not defined by hyper-parameters: its adapters are unknown",
                       network->name));
    return network;
  }

  std::int64_t prefetched_batches() {
    if (spec_.prefetched_batches) return *spec_.prefetched_batches;
    const std::int64_t usual = library_.parameters.count("prefetched_batches");
    note("prefetched_batches", fmt::format("{}", usual));
    return usual;
  }

  std::int64_t epochs(const training::NetworkModel& network) {
    const auto& epochs = spec_.epochs;
    if (*epochs) {
      if (!epochs.given) note("epochs", fmt::format("{}", **epochs));
      return **epochs;
    }
    if (network.target) {
      assumptions_.push_back(fmt::format("job: {} epochs to {} ({})", network.target->epochs,
                                         network.target->quality, network.target->source));
      return network.target->epochs;
    }
    report(diagnostics_, epochs, fmt::format("{} has no published target", network.name),
           "a number of epochs, or a \"target\" in the network's file");
    return 1;
  }

  std::int64_t tokens(const training::NetworkModel& network) {
    const auto& length = spec_.sequence_length;
    if (network.sequence_length) return length ? **length : *network.sequence_length;
    if (length) {
      report(diagnostics_, *length, fmt::format("{} has no sequence length", network.name));
    }
    return 0;
  }

  Bytes optimizer_bytes(const std::string& optimizer) const {
    if (optimizer == "none") return Bytes{0};
    return library_.parameters.bytes(optimizer + "_bytes_per_parameter");
  }

  training::BucketRule buckets(Bytes gradient) const {
    training::BucketRule rule{false, library_.parameters.bytes("ddp_first_bucket"),
                              library_.parameters.bytes("ddp_bucket_cap"), std::nullopt};
    if (!spec_.buckets) return rule;
    const BucketsSpec& said = **spec_.buckets;
    rule.single = said.single;
    rule.cycle = said.cycle;
    if (said.cycle) {
      rule.cap =
          said.threshold ? *said.threshold : library_.parameters.bytes("horovod_fusion_threshold");
    }
    rule.first = said.first.value_or(rule.first);
    rule.cap = said.cap.value_or(rule.cap);
    if (said.parameters) {
      if (said.cap) {
        report(diagnostics_, *spec_.buckets, "both \"cap\" and \"parameters\" are given",
               "one of them");
      }
      rule.cap = gradient * *said.parameters;
    }
    return rule;
  }

  training::InputPipeline input_pipeline(const training::NetworkModel& network) {
    const InputSpec& said = *spec_.input;
    training::InputPipeline input;
    input.core_time = said.core_time.value_or(network.core_time);
    if (said.decode == Decoding::kNone) input.core_time = SimTime{0};
    input.by_gpu = said.decode == Decoding::kGpu;
    input.workers = said.workers;
    input.direct = said.direct;
    input.cached = said.cached;
    if (input.direct && !input.by_gpu && input.core_time > SimTime{0}) {
      report(diagnostics_, spec_.input,
             "GPUDirect Storage bypasses the CPU, but \"decode\" uses the CPU",
             "\"decode\": \"gpu\" or \"none\"");
    }
    if (input.direct && input.cached) {
      report(diagnostics_, spec_.input, "GPUDirect Storage bypasses the page cache",
             "\"cached\" or \"path\": \"gpudirect_storage\", not both");
    }
    return input;
  }

  void find_epoch(training::TrainingJob& training) {
    const auto& dataset = spec_.dataset;
    const int given = dataset.has_value() + spec_.samples_per_epoch.has_value() +
                      spec_.iterations_per_epoch.has_value() + spec_.tokens.has_value();
    if (given == 0 && library_.catalog->datasets.contains(training.network->dataset)) {
      const auto& usual = library_.catalog->datasets.at(training.network->dataset);
      note("dataset", fmt::format("{} of {} samples", usual.id, usual.samples));
      return use(usual, training);
    }
    if (given == 0 && training.network->measured) {
      training.iterations_per_epoch = kStepsOfMeasured;
      return note("iterations_per_epoch", fmt::format("{}", kStepsOfMeasured));
    }
    if (given != 1) {
      report(diagnostics_, job_,
             given == 0 ? "the length of an epoch is not given"
                        : "the length of an epoch is given more than once",
             given == 0
                 ? "one of \"dataset\", \"samples_per_epoch\", \"iterations_per_epoch\" and \"tokens\""
                 : "only one of \"dataset\", \"samples_per_epoch\", \"iterations_per_epoch\" and "
                   "\"tokens\": leave the others out");
      return;
    }
    if (spec_.tokens) return train_on(*spec_.tokens, training);
    training.iterations_per_epoch = spec_.iterations_per_epoch;
    training.samples_per_epoch = spec_.samples_per_epoch;
    if (!dataset) return;
    const auto* found = topology::look_up_part(library_.catalog->datasets, *library_.catalog,
                                               "datasets", *dataset, "dataset", diagnostics_);
    if (found != nullptr) use(*found, training);
  }

  void train_on(const At<std::int64_t>& tokens, training::TrainingJob& training) {
    if (training.tokens == 0) {
      report(diagnostics_, tokens, fmt::format("{} has no tokens", training.network->name),
             "\"samples_per_epoch\"");
      return;
    }
    training.all_tokens = *tokens;
    training.samples_per_epoch = (*tokens + training.tokens - 1) / training.tokens;
  }

  static void use(const topology::Dataset& dataset, training::TrainingJob& training) {
    training.samples_per_epoch = dataset.samples;
    if (dataset.stored_bytes) training.stored_bytes = dataset.stored_bytes->value;
  }

  const At<JobSpec>& job_;
  const TrainingSpec& spec_;
  const Library& library_;
  const input::FileLoader& load_;
  std::vector<std::string>& assumptions_;
  Diagnostics& diagnostics_;
};

}  // namespace

training::TrainingJob training_job(const At<JobSpec>& job, const Library& library,
                                   const input::FileLoader& load,
                                   std::vector<std::string>& assumptions,
                                   Diagnostics& diagnostics) {
  return TrainingBuilder(job, library, load, assumptions, diagnostics).build();
}

}  // namespace vgsim::scenario
