#include "models/scenario/read/training_keys.hpp"

#include "models/training/read/network_file.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using Spec = TrainingSpec;

/// Words that are what is read.
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
                                  .describe("all gradients in one piece, after the backward "
                                            "pass"),
                              [](bool is_single) {
                                Buckets buckets;
                                buckets.single = is_single;
                                return buckets;
                              });
  const auto as_ddp = record<Buckets>({
      key("first", &Buckets::first, bytes(Bytes{1}))
          .describe("size at which the first bucket is closed")
          .default_text("parameter ddp_first_bucket"),
      key("cap", &Buckets::cap, bytes(Bytes{1}))
          .describe("size at which every other bucket is closed")
          .default_text("parameter ddp_bucket_cap"),
  });
  const auto as_horovod = record<Buckets>({
      key("cycle", &Buckets::cycle, time(SimTime{1}))
          .required()
          .describe("as Horovod does: gradients that become ready within a cycle go together "
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
          .describe("what decodes and augments samples; gpu: as DALI does")
          .default_text("cpu, where the network's samples need it"),
      key("core_time", &InputSpec::core_time, time())
          .describe("what one core takes to decode and augment a sample")
          .default_text("the network's")
          .examples({"5 ms"}),
      key("workers", &InputSpec::workers, count(1, 1024))
          .describe("cores that prepare the input of one GPU at most, as a DataLoader's workers")
          .default_text("all that are free"),
      key("path", &InputSpec::direct, words<bool>({{"host", false}, {"gpudirect_storage", true}}))
          .describe("whether input passes host memory")
          .default_value("host"),
      key("cached", &InputSpec::cached, boolean())
          .describe("all data lies in the hosts' page cache, so that storage is not read")
          .default_value("false"),
  });
}

Decoder<training::Lora> lora() {
  return record<training::Lora>({
      key("rank", &training::Lora::rank, count(1, 10'000)).default_value("16"),
      key("targets", &training::Lora::attention_alone,
          words<bool>({{"attention", true}, {"all", false}}))
          .describe("matrices with an adapter: those of attention, or of the feed-forward part too")
          .default_value("attention"),
  });
}

void verify_checkpoints(const CheckpointsSpec& checkpoints, const Value& at,
                        Diagnostics& diagnostics) {
  const auto& snapshot = checkpoints.snapshot;
  if (!checkpoints.overlap) {
    if (snapshot) {
      topology::report(diagnostics, *snapshot, "\"snapshot\" belongs to a checkpoint that overlaps",
                       "\"overlap\": true");
    }
    return;
  }
  if (snapshot && **snapshot > checkpoints.save) {
    topology::report(diagnostics, at, "the snapshot takes longer than the whole checkpoint",
                     "\"snapshot\" up to \"save\"");
  }
  if (checkpoints.save > checkpoints.every) {
    topology::report(diagnostics, at, "a checkpoint is not written when the next one starts",
                     "\"every\" of \"save\" at least");
  }
}

Decoder<CheckpointsSpec> checkpoints() {
  using Checkpoints = CheckpointsSpec;
  return record<Checkpoints>(
      {
          key("every", &Checkpoints::every, time(SimTime{1}))
              .required()
              .describe("time between two"),
          key("save", &Checkpoints::save, time())
              .describe("time to write one; training stands still, unless it overlaps")
              .default_value("0 s"),
          key("overlap", &Checkpoints::overlap, boolean())
              .describe("training goes on while one is written, from a copy of its state")
              .default_value("false"),
          key("snapshot", &Checkpoints::snapshot, time())
              .describe("of one that overlaps: time that training stands still for the copy")
              .default_text("0 s"),
          key("restore", &Checkpoints::restore, time())
              .describe("time to load one")
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
              "network to train, by the name of its file in configs/networks/, as a file beside "
              "the scenario (\"resnet.json\"), or described as in such a file; or give "
              "\"collective\"")
          .examples({"bert-large"})
          .aliases({"model"}),
      key("batch_per_gpu", &Spec::batch_per_gpu, count(1, 1'000'000))
          .describe("samples of one GPU in one iteration")
          .default_value("1")
          .aliases({"batch", "batch_size"}),
      key("sequence_length", &Spec::sequence_length, count(1, 10'000'000))
          .describe("tokens of a sample")
          .default_text("the network's"),
      key("precision", &Spec::precision, plain_words({"fp32", "tf32", "fp16", "bf16", "fp8"}))
          .describe("precision of the matrix products")
          .default_value("fp16"),
      key("gradients", &Spec::gradients, plain_words({"fp32", "fp16", "bf16"}))
          .describe("type in which gradients are reduced")
          .default_value("fp32")
          .aliases({"gradient_dtype"}),
      key("lora", &Spec::lora, lora())
          .describe("low-rank adapters are trained, and the network's own parameters are frozen"),
      key("achieved_share", &Spec::achieved_share, number(1e-6, 1.0))
          .describe("share of the GPU's peak that training reaches, where you have measured it")
          .default_text("the network's"),
      key("software", &Spec::tuned, words<bool>({{"usual", false}, {"tuned", true}}))
          .describe("how layers are programmed: as usual (PyTorch as it runs, TensorFlow), or "
                    "tuned, with layers fused, as by torch.compile and in MLPerf and Megatron-LM")
          .default_text("usual, and tuned for transformers with FlashAttention"),
      key("compute_factor", &Spec::compute_factor, number(0.01, 100.0))
          .describe("passes take so many times as long as predicted: what was measured of the same "
                    "job on a GPU or a machine, over what vgsim says of it")
          .default_value("1"),
      key("kernel_launch_interval", &Spec::launch_interval, time())
          .describe(
              "measured: how long the host takes from one kernel to the next; slower than the "
              "GPU in small layers")
          .default_text("parameter kernel_launch_interval")
          .examples({"20 us"}),
      key("cuda_graphs", &Spec::cuda_graphs, boolean())
          .describe("kernels are launched by graphs: the host never holds the GPU up")
          .default_value("false"),
      key("matrix_share", &Spec::matrix_share, number(1e-6, 1.0))
          .describe(
              "share of the GPU's peak that matrix products reach; what layers read and write "
              "in memory comes on top of them (transformers)")
          .default_text("what was measured on GPUs of that generation, where the network has no "
                        "achieved share"),
      key("optimizer", &Spec::optimizer, plain_words({"sgd", "adam", "lamb", "none"}))
          .describe("optimizer; gives its traffic to device memory")
          .default_value("adam"),
      key("buckets", &Spec::buckets, buckets())
          .describe("how gradients are bundled")
          .default_text("as PyTorch DDP does: 1 MiB first, then 25 MiB"),
      key("overlap", &Spec::overlap, boolean())
          .describe("reduce gradients while the backward pass goes on")
          .default_value("true"),
      key("prefetched_batches", &Spec::prefetched_batches, count(0, 1000))
          .describe("input batches loaded ahead of the one in use")
          .default_text("parameter prefetched_batches"),
      key("input", &Spec::input, input_pipeline()).describe("how batches get to the GPUs"),
  };
}

Keys<Spec> epoch_keys() {
  return {
      key("dataset", &Spec::dataset, name())
          .describe("data set, by its catalogue name; gives the samples of an epoch")
          .default_text("the one that the network is usually trained on")
          .examples({"imagenet-1k"}),
      key("samples_per_epoch", &Spec::samples_per_epoch, count(1, 1'000'000'000'000))
          .describe("samples of an epoch, where no data set is named"),
      key("tokens", &Spec::tokens, count(1, 1'000'000'000'000'000))
          .describe("tokens that an epoch reads, instead of samples"),
      key("iterations_per_epoch", &Spec::iterations_per_epoch, count(1, 1'000'000'000))
          .describe("iterations of an epoch, where neither data set nor samples are given"),
      key("checkpoints", &Spec::checkpoints, checkpoints())
          .describe("how often training saves its state")
          .default_text("never"),
      key("epochs", &Spec::epochs, epochs())
          .describe("epochs; to_target: as many as the network's published target took")
          .default_value("1"),
      key("copies", &Spec::copies, count(1, 1'000'000))
          .describe("jobs like this one that run at once, with it, on the same hosts: each in VMs "
                    "and with devices of its own. They count in what the hosts train together; "
                    "that they wait for each other at what they share is left out")
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
