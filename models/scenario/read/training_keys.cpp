#include "models/scenario/read/training_keys.hpp"

#include "models/training/read/network_file.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using Spec = TrainingSpec;

/// Words that are used as read.
Decoder<std::string> plain_words(const std::vector<std::string>& all) {
  std::vector<std::pair<std::string, std::string>> meanings;
  for (const std::string& word : all) meanings.emplace_back(word, word);
  return words<std::string>(std::move(meanings));
}

Decoder<NetworkSpec> network() {
  const Decoder<NetworkSpec> described{
      training::network_shape(), [](const Value& value, Diagnostics& diagnostics) {
        return NetworkSpec{{},
                           std::make_shared<const training::NetworkModel>(
                               training::read_network(value, diagnostics))};
      }};
  return any_of<NetworkSpec>({changed(name(),
                                      [](std::string name) {
                                        return NetworkSpec{std::move(name), nullptr};
                                      }),
                              described});
}

Decoder<BucketsSpec> buckets() {
  using Buckets = BucketsSpec;
  const auto single = changed(words<bool>({{"single", true}})
                                  .describe("all gradients in one reduction, after the backward "
                                            "pass"),
                              [](bool is_single) {
                                Buckets buckets;
                                buckets.single = is_single;
                                return buckets;
                              });
  const auto as_ddp = record<Buckets>({
      key("first", &Buckets::first, bytes(Bytes{1}))
          .describe("size limit of the first bucket")
          .default_text("parameter ddp_first_bucket"),
      key("cap", &Buckets::cap, bytes(Bytes{1}))
          .describe("size limit of all other buckets")
          .default_text("parameter ddp_bucket_cap"),
      key("parameters", &Buckets::parameters, count(1, 1'000'000'000'000))
          .describe("the same as a number of parameters (ddp_bucket_size of Megatron-LM)"),
  });
  const auto as_horovod = record<Buckets>({
      key("cycle", &Buckets::cycle, time(SimTime{1}))
          .required()
          .describe("Horovod: gradients that become ready within a cycle are reduced together "
                    "(HOROVOD_CYCLE_TIME)")
          .examples({"1 ms"}),
      key("threshold", &Buckets::threshold, bytes(Bytes{1}))
          .describe("size of the fusion buffer (HOROVOD_FUSION_THRESHOLD)")
          .default_text("parameter horovod_fusion_threshold"),
  });
  return any_of<Buckets>({single, as_ddp, as_horovod});
}

Decoder<InputSpec> input_pipeline() {
  return record<InputSpec>({
      key("decode", &InputSpec::decode,
          words<Decoding>(
              {{"cpu", Decoding::kCpu}, {"gpu", Decoding::kGpu}, {"none", Decoding::kNone}}))
          .describe("where samples are decoded and augmented; gpu: NVIDIA DALI")
          .default_text("cpu, if the network's samples need decoding"),
      key("core_time", &InputSpec::core_time, time())
          .describe("CPU core time to decode and augment a sample")
          .default_text("the network's")
          .examples({"5 ms"}),
      key("workers", &InputSpec::workers, count(1, 1024))
          .describe(
              "largest number of cores that prepare the input of one GPU (DataLoader workers)")
          .default_text("all free cores"),
      key("path", &InputSpec::direct, words<bool>({{"host", false}, {"gpudirect_storage", true}}))
          .describe("path of the input: through host memory, or GPUDirect Storage")
          .default_value("host"),
      key("cached", &InputSpec::cached, boolean())
          .describe("all data is in the hosts' page cache, and storage is not read")
          .default_value("false"),
  });
}

Decoder<training::Lora> lora() {
  using training::Lora;
  using Targets = Lora::Targets;
  using Base = Lora::Base;
  return record<Lora>({
      key("rank", &Lora::rank, count(1, 10'000)).default_value("16"),
      key("targets", &Lora::targets,
          words<Targets>({{"attention", Targets::kAttention},
                          {"all", Targets::kAll},
                          {"queries-values", Targets::kQueriesAndValues}}))
          .describe("matrices with an adapter: attention; attention and feed-forward; or queries "
                    "and values alone")
          .default_value("attention"),
      key("base", &Lora::base,
          words<Base>({{"weights", Base::kWeights},
                       {"fp8", Base::kFp8},
                       {"fp8-once", Base::kFp8Once},
                       {"8bit", Base::k8Bit},
                       {"nf4", Base::kNf4},
                       {"nf4-double", Base::kNf4Double},
                       {"int4", Base::kInt4}}))
          .describe("type of the frozen matrices of blocks in memory: that of \"weights\"; fp8 "
                    "with a transposed copy, as on Hopper, or once, as on Blackwell; nf4: QLoRA's; "
                    "int4: GPTQ's (memory only)")
          .default_value("weights"),
      key("inputs", &Lora::keeps_inputs, words<bool>({{"needed", false}, {"all", true}}))
          .describe("inputs of frozen products that are kept for the backward pass: those that an "
                    "adapter reads, or all, as in bitsandbytes of 2023")
          .default_value("needed"),
      key("dropout", &Lora::dropout, boolean())
          .describe("adapters read a copy of their input after dropout, which is kept")
          .default_value("false"),
  });
}

void verify_checkpoints(const CheckpointsSpec& checkpoints, const Value& at,
                        Diagnostics& diagnostics) {
  const auto& snapshot = checkpoints.snapshot;
  if (!checkpoints.overlap) {
    if (snapshot) {
      topology::report(diagnostics, *snapshot, "\"snapshot\" without \"overlap\"",
                       "\"overlap\": true");
    }
    return;
  }
  if (snapshot && **snapshot > checkpoints.save) {
    topology::report(diagnostics, at, "the snapshot takes longer than the whole checkpoint",
                     "\"snapshot\" up to \"save\"");
  }
  if (checkpoints.save > checkpoints.every) {
    topology::report(diagnostics, at,
                     "\"save\" is longer than \"every\": the next checkpoint starts before the "
                     "last one is written",
                     "\"every\" of at least \"save\"");
  }
}

Decoder<CheckpointsSpec> checkpoints() {
  using Checkpoints = CheckpointsSpec;
  return record<Checkpoints>(
      {
          key("every", &Checkpoints::every, time(SimTime{1}))
              .required()
              .describe("time between two checkpoints"),
          key("save", &Checkpoints::save, time())
              .describe("time to write a checkpoint; training stops, unless \"overlap\" is set")
              .default_value("0 s"),
          key("overlap", &Checkpoints::overlap, boolean())
              .describe("asynchronous checkpoints: training continues while a copy of its state is "
                        "written")
              .default_value("false"),
          key("snapshot", &Checkpoints::snapshot, time())
              .describe("time that training stops for the copy of an asynchronous checkpoint")
              .default_text("0 s"),
          key("restore", &Checkpoints::restore, time())
              .describe("time to load a checkpoint")
              .default_value("0 s"),
      },
      &verify_checkpoints);
}

Decoder<std::optional<std::int64_t>> epochs() {
  using Epochs = std::optional<std::int64_t>;
  return any_of<Epochs>({changed(count(1, 1'000'000), [](std::int64_t n) { return Epochs(n); }),
                         words<Epochs>({{"to_target", std::nullopt}})});
}

Keys<Spec> network_keys() {
  return {
      key("network", &Spec::network, network())
          .describe(
              "network to train: the name of a file in configs/networks/, a file in the folder of "
              "the scenario (\"resnet.json\"), or the contents of such a file; alternative: "
              "\"collective\"")
          .examples({"bert-large"})
          .aliases({"model"}),
      key("batch_per_gpu", &Spec::batch_per_gpu, count(1, 1'000'000))
          .describe("samples per GPU and iteration")
          .default_value("1")
          .aliases({"batch", "batch_size"}),
      key("sequence_length", &Spec::sequence_length, count(1, 10'000'000))
          .describe("tokens per sample")
          .default_text("the network's"),
      key("precision", &Spec::precision,
          plain_words({"fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "nvfp4"}))
          .describe("precision of the matrix products; fp8: with a scale for each tensor; mxfp8, "
                    "nvfp4: for each block, on Blackwell")
          .default_value("fp16"),
      key("gradients", &Spec::gradients, plain_words({"fp32", "fp16", "bf16"}))
          .describe("data type of the gradient reduction")
          .default_value("fp32")
          .aliases({"gradient_dtype"}),
      key("lora", &Spec::lora, lora())
          .describe("trains low-rank adapters (LoRA); the network's parameters are frozen"),
      key("achieved_share", &Spec::achieved_share, number(1e-6, 1.0))
          .describe("measured share of the GPU's peak reached by training")
          .default_text("the network's"),
      key("software", &Spec::tuned, words<bool>({{"usual", false}, {"tuned", true}}))
          .describe("implementation of layers: usual (eager PyTorch, TensorFlow), or "
                    "tuned, with fused layers (torch.compile, MLPerf, Megatron-LM)")
          .default_text("usual; tuned for transformers with FlashAttention"),
      key("compute_factor", &Spec::compute_factor, number(0.01, 100.0))
          .describe(
              "factor on the time of forward and backward passes: the measured time of the same "
              "job on one GPU or machine, divided by the predicted one")
          .default_value("1"),
      key("kernel_launch_interval", &Spec::launch_interval, time())
          .describe("measured time between two kernel launches of the host; it limits small layers")
          .default_text("parameter kernel_launch_interval")
          .examples({"20 us"}),
      key("cuda_graphs", &Spec::cuda_graphs, boolean())
          .describe("CUDA graphs: the GPU never waits for kernel launches")
          .default_value("false"),
      key("matrix_share", &Spec::matrix_share, number(1e-6, 1.0))
          .describe("share of the GPU's peak reached by matrix products; memory traffic of layers "
                    "is added (transformers)")
          .default_text("the share measured on GPUs of that generation, if the network has no "
                        "achieved share"),
      key("optimizer", &Spec::optimizer, plain_words({"sgd", "adam", "lamb", "none"}))
          .describe("optimizer; determines its memory traffic")
          .default_value("adam"),
      key("buckets", &Spec::buckets, buckets())
          .describe("gradient buckets")
          .default_text("as in PyTorch DDP: 1 MiB first, then 25 MiB"),
      key("overlap", &Spec::overlap, boolean())
          .describe("reduce gradients during the backward pass")
          .default_value("true"),
      key("prefetched_batches", &Spec::prefetched_batches, count(0, 1000))
          .describe("number of prefetched input batches")
          .default_text("parameter prefetched_batches"),
      key("input", &Spec::input, input_pipeline()).describe("input pipeline"),
  };
}

Keys<Spec> epoch_keys() {
  return {
      key("dataset", &Spec::dataset, name())
          .describe("catalogue name of the data set; determines the samples per epoch")
          .default_text("the network's usual data set")
          .examples({"imagenet-1k"}),
      key("samples_per_epoch", &Spec::samples_per_epoch, count(1, 1'000'000'000'000))
          .describe("samples per epoch, if no data set is named"),
      key("tokens", &Spec::tokens, count(1, 1'000'000'000'000'000))
          .describe("tokens per epoch, instead of samples"),
      key("iterations_per_epoch", &Spec::iterations_per_epoch, count(1, 1'000'000'000))
          .describe("iterations per epoch, if neither data set nor samples are given"),
      key("checkpoints", &Spec::checkpoints, checkpoints())
          .describe("interval and cost of checkpoints")
          .default_text("never"),
      key("epochs", &Spec::epochs, epochs())
          .describe("number of epochs; to_target: the number of the network's published target")
          .default_value("1"),
      key("copies", &Spec::copies, count(1, 1'000'000))
          .describe(
              "number of equal jobs on the same hosts, including this one, each in separate VMs "
              "with separate devices. They count in the throughput per host; "
              "contention between them is not modelled")
          .default_value("1"),
  };
}

}  // namespace

Keys<Spec> training_keys() {
  Keys<Spec> keys = network_keys();
  add_keys(keys, parallel_keys());
  add_keys(keys, epoch_keys());
  return keys;
}

}  // namespace vgsim::scenario
