#include "models/scenario/training_input.hpp"

#include <fmt/core.h>

#include <optional>

#include "models/scenario/library.hpp"
#include "models/training/lora.hpp"
#include "topology/host_input.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;
using topology::report;

/// A job's training keys with their defaults, each default said among the assumptions.
class TrainingReader {
 public:
  TrainingReader(const Value& job, const Library& library, const input::FileLoader& load,
                 std::vector<std::string>& assumptions, Diagnostics& diagnostics)
      : job_(job),
        library_(library),
        load_(load),
        assumptions_(assumptions),
        diagnostics_(diagnostics) {}

  TrainingJob read() {
    TrainingJob training;
    training.network = library_.networks.find(*find(job_, "network"), load_, diagnostics_);
    if (training.network == nullptr) return training;
    adapt(training.network);
    training.stored_bytes = training.network->stored_bytes;
    training.batch_per_gpu = count("batch_per_gpu", 1);
    training.tokens = tokens(*training.network);
    const std::string precision = word("precision", "fp16");
    training.precision = precision == "bf16" ? "fp16" : precision;
    training.gradient_bytes = Bytes{word("gradients", "fp32") == "fp32" ? 4 : 2};
    training.optimizer_bytes = optimizer_bytes(word("optimizer", "adam"));
    training.buckets = buckets();
    if (const auto share = find(job_, "achieved_share")) {
      training.achieved_share = input::as_double(*share);
    }
    if (const auto interval = find(job_, "kernel_launch_interval")) {
      training.launch_interval = input::as_time(*interval);
    }
    if (const auto flash = find(job_, "flash_attention")) {
      const bool says_release = flash->kind() == input::Kind::integer;
      training.flash_attention = says_release || input::as_bool(*flash);
      if (says_release) training.flash_version = input::as_count(*flash);
    }
    const auto graphs = find(job_, "cuda_graphs");
    training.cuda_graphs = graphs && input::as_bool(*graphs);
    if (const auto share = find(job_, "matrix_share")) {
      training.matrix_share = input::as_double(*share);
    }
    if (const auto overlap = find(job_, "overlap")) training.overlap = input::as_bool(*overlap);
    training.prefetched_batches =
        count("prefetched_batches", library_.parameters.count("prefetched_batches"));
    training.epochs = epochs(*training.network);
    training.input = input_pipeline(*training.network);
    read_epoch(training);
    return training;
  }

 private:
  std::int64_t count(const char* name, std::int64_t otherwise) {
    if (const auto value = find(job_, name)) return input::as_count(*value);
    assumptions_.push_back(fmt::format("job: {} not given, {}", name, otherwise));
    return otherwise;
  }

  void adapt(std::shared_ptr<const training::NetworkModel>& network) {
    const auto lora = find(job_, "lora");
    if (!lora) return;
    if (!network->transformer) {
      report(diagnostics_, *lora,
             fmt::format("{} is not written by hyper-parameters: its adapters are not known",
                         network->name));
      return;
    }
    training::Lora settings;
    if (const auto rank = find(*lora, "rank")) settings.rank = input::as_count(*rank);
    const auto targets = find(*lora, "targets");
    settings.attention_alone = !targets || input::as_string(*targets) == "attention";
    network =
        std::make_shared<const training::NetworkModel>(training::with_adapters(*network, settings));
  }

  std::int64_t epochs(const training::NetworkModel& network) {
    const auto value = find(job_, "epochs");
    if (!value || !value->is_string()) return count("epochs", 1);
    if (network.target) {
      assumptions_.push_back(fmt::format("job: {} epochs to {} ({})", network.target->epochs,
                                         network.target->quality, network.target->source));
      return network.target->epochs;
    }
    report(diagnostics_, *value, fmt::format("no target is known for {}", network.name),
           "a number of epochs, or a \"target\" in the network's file");
    return 1;
  }

  std::string word(const char* name, const char* otherwise) {
    if (const auto value = find(job_, name)) return input::as_string(*value);
    assumptions_.push_back(fmt::format("job: {} not given, {}", name, otherwise));
    return otherwise;
  }

  std::int64_t tokens(const training::NetworkModel& network) {
    const auto length = find(job_, "sequence_length");
    if (network.sequence_length) {
      return length ? input::as_count(*length) : *network.sequence_length;
    }
    if (length) {
      report(diagnostics_, *length, fmt::format("{} has no sequence length", network.name));
    }
    return 0;
  }

  Bytes optimizer_bytes(const std::string& optimizer) const {
    if (optimizer == "none") return Bytes{0};
    return library_.parameters.bytes(optimizer + "_bytes_per_parameter");
  }

  BucketRule buckets() const {
    BucketRule rule{false, library_.parameters.bytes("ddp_first_bucket"),
                    library_.parameters.bytes("ddp_bucket_cap"), std::nullopt};
    const auto value = find(job_, "buckets");
    if (!value) return rule;
    rule.single = value->is_string();
    if (rule.single) return rule;
    if (const auto cycle = find(*value, "cycle")) {
      rule.cycle = input::as_time(*cycle);
      const auto threshold = find(*value, "threshold");
      rule.cap = threshold ? input::as_bytes(*threshold)
                           : library_.parameters.bytes("horovod_fusion_threshold");
    }
    if (const auto first = find(*value, "first")) rule.first = input::as_bytes(*first);
    if (const auto cap = find(*value, "cap")) rule.cap = input::as_bytes(*cap);
    return rule;
  }

  InputPipeline input_pipeline(const training::NetworkModel& network) {
    InputPipeline input;
    input.core_time = network.core_time;
    const auto value = find(job_, "input");
    if (!value) return input;
    if (const auto time = find(*value, "core_time")) input.core_time = input::as_time(*time);
    if (const auto workers = find(*value, "workers")) input.workers = input::as_count(*workers);
    const auto is = [&](const char* key, const char* word) {
      const auto found = find(*value, key);
      return found && input::as_string(*found) == word;
    };
    input.by_gpu = is("decode", "gpu");
    input.direct = is("path", "gpudirect_storage");
    if (const auto cached = find(*value, "cached")) input.cached = input::as_bool(*cached);
    if (is("decode", "none")) input.core_time = SimTime{0};
    if (input.direct && !input.by_gpu && input.core_time > SimTime{0}) {
      report(diagnostics_, *value, "GPUDirect Storage passes the CPU by, and the CPU decodes",
             "\"decode\": \"gpu\" or \"none\"");
    }
    if (input.direct && input.cached) {
      report(diagnostics_, *value, "GPUDirect Storage passes the page cache by",
             "\"cached\" or \"path\": \"gpudirect_storage\", not both");
    }
    return input;
  }

  void read_epoch(TrainingJob& training) {
    const auto dataset = find(job_, "dataset");
    const auto samples = find(job_, "samples_per_epoch");
    const auto iterations = find(job_, "iterations_per_epoch");
    const int given = dataset.has_value() + samples.has_value() + iterations.has_value();
    if (given == 0 && library_.catalog.datasets.contains(training.network->dataset)) {
      const auto& usual = library_.catalog.datasets.at(training.network->dataset);
      assumptions_.push_back(
          fmt::format("job: dataset not given, {} of {} samples", usual.id, usual.samples));
      return use(usual, training);
    }
    if (given != 1) {
      report(diagnostics_, job_,
             given == 0 ? "the length of an epoch is not given"
                        : "the length of an epoch is given more than once",
             "one of \"dataset\", \"samples_per_epoch\" and \"iterations_per_epoch\"");
      return;
    }
    if (iterations) training.iterations_per_epoch = input::as_count(*iterations);
    if (samples) training.samples_per_epoch = input::as_count(*samples);
    if (!dataset) return;
    const auto* found = topology::look_up_part(library_.catalog.datasets, library_.catalog,
                                               "datasets", *dataset, "dataset", diagnostics_);
    if (found != nullptr) use(*found, training);
  }

  static void use(const topology::Dataset& dataset, TrainingJob& training) {
    training.samples_per_epoch = dataset.samples;
    if (dataset.stored_bytes) training.stored_bytes = dataset.stored_bytes->value;
  }

  const Value& job_;
  const Library& library_;
  const input::FileLoader& load_;
  std::vector<std::string>& assumptions_;
  Diagnostics& diagnostics_;
};

}  // namespace

TrainingJob read_training(const Value& job, const Library& library, const input::FileLoader& load,
                          std::vector<std::string>& assumptions, Diagnostics& diagnostics) {
  return TrainingReader(job, library, load, assumptions, diagnostics).read();
}

}  // namespace vgsim::scenario
