#include "models/scenario/scenario_shape.hpp"

#include "models/collectives/pattern.hpp"
#include "models/scenario/check/expect_shape.hpp"
#include "models/scenario/disruptions.hpp"
#include "models/scenario/economy.hpp"
#include "models/scenario/neighbours.hpp"
#include "models/scenario/parallelism_input.hpp"
#include "models/scenario/size_range.hpp"
#include "models/training/network.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/host_settings.hpp"
#include "models/vsphere/vm_shape.hpp"
#include "topology/host_shape.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

Shape buckets_shape() {
  return any_of_shape({
      enum_shape({"single"}).describe("all gradients in one piece, after the backward pass"),
      object_shape({
          field("first", bytes_shape(Bytes{1}))
              .describe("size at which the first bucket is closed")
              .default_text("1 MiB"),
          field("cap", bytes_shape(Bytes{1}))
              .describe("size at which every other bucket is closed")
              .default_text("25 MiB"),
      }),
      object_shape({
          field("cycle", time_shape(SimTime{1}))
              .required()
              .describe("as Horovod does: gradients that become ready within a cycle go together "
                        "(HOROVOD_CYCLE_TIME)")
              .examples({"1 ms"}),
          field("threshold", bytes_shape(Bytes{1}))
              .describe("size of the fusion buffer (HOROVOD_FUSION_THRESHOLD)")
              .default_text("parameter horovod_fusion_threshold"),
      }),
  });
}

Shape input_shape() {
  return object_shape({
      field("decode", enum_shape({"cpu", "gpu", "none"}))
          .describe("what decodes and augments samples; gpu: as DALI does")
          .default_text("cpu, where the network's samples need it"),
      field("core_time", time_shape())
          .describe("what one core takes to decode and augment a sample")
          .default_text("the network's")
          .examples({"5 ms"}),
      field("workers", count_shape(1, 1024))
          .describe("cores that prepare the input of one GPU at most, as a DataLoader's workers")
          .default_text("all that are free"),
      field("path", enum_shape({"host", "gpudirect_storage"}))
          .describe("whether input passes host memory")
          .default_text("host"),
      field("cached", boolean_shape())
          .describe("all data lies in the hosts' page cache, so that storage is not read")
          .default_text("false"),
  });
}

std::vector<Field> training_fields() {
  return {
      field("network", any_of_shape({name_shape(), training::network_shape()}))
          .describe(
              "network to train, by the name of its file in configs/networks/, as a file beside "
              "the scenario (\"resnet.json\"), or described as in such a file; or give "
              "\"collective\"")
          .examples({"bert-large"})
          .aliases({"model"}),
      field("batch_per_gpu", count_shape(1, 1'000'000))
          .describe("samples of one GPU in one iteration")
          .default_text("1")
          .aliases({"batch", "batch_size"}),
      field("sequence_length", count_shape(1, 10'000'000))
          .describe("tokens of a sample")
          .default_text("the network's"),
      field("precision", enum_shape({"fp32", "tf32", "fp16", "bf16", "fp8"}))
          .describe("precision of the matrix products")
          .default_text("fp16"),
      field("gradients", enum_shape({"fp32", "fp16", "bf16"}))
          .describe("type in which gradients are reduced")
          .default_text("fp32")
          .aliases({"gradient_dtype"}),
      field("lora", object_shape({
                        field("rank", count_shape(1, 10'000)).default_text("16"),
                        field("targets", enum_shape({"attention", "all"}))
                            .describe("matrices with an adapter: those of attention, or of the "
                                      "feed-forward part too")
                            .default_text("attention"),
                    }))
          .describe("low-rank adapters are trained, and the network's own parameters are frozen"),
      field("achieved_share", number_shape(1e-6, 1.0))
          .describe("share of the GPU's peak that training reaches, where you have measured it")
          .default_text("the network's"),
      field("kernel_launch_interval", time_shape())
          .describe(
              "measured: how long the host takes from one kernel to the next; slower than the "
              "GPU in small layers")
          .default_text("parameter kernel_launch_interval")
          .examples({"20 us"}),
      field("cuda_graphs", boolean_shape())
          .describe("kernels are launched by graphs: the host never holds the GPU up")
          .default_text("false"),
      field("matrix_share", number_shape(1e-6, 1.0))
          .describe(
              "share of the GPU's peak that matrix products reach; what layers read and write "
              "in memory comes on top of them (transformers)")
          .default_text("what was measured on GPUs of that generation, where the network has no "
                        "achieved share"),
      field("optimizer", enum_shape({"sgd", "adam", "lamb", "none"}))
          .describe("optimizer; gives its traffic to device memory")
          .default_text("adam"),
      field("buckets", buckets_shape())
          .describe("how gradients are bundled")
          .default_text("as PyTorch DDP does: 1 MiB first, then 25 MiB"),
      field("overlap", boolean_shape())
          .describe("reduce gradients while the backward pass goes on")
          .default_text("true"),
      field("prefetched_batches", count_shape(0, 1000))
          .describe("input batches loaded ahead of the one in use")
          .default_text("2"),
      field("input", input_shape()).describe("how batches get to the GPUs"),
  };
}

std::vector<Field> epoch_fields() {
  return {
      field("dataset", name_shape())
          .describe("data set, by its catalogue name; gives the samples of an epoch")
          .default_text("the one that the network is usually trained on")
          .examples({"imagenet-1k"}),
      field("samples_per_epoch", count_shape(1, 1'000'000'000'000))
          .describe("samples of an epoch, where no data set is named"),
      field("iterations_per_epoch", count_shape(1, 1'000'000'000))
          .describe("iterations of an epoch, where neither data set nor samples are given"),
      field("checkpoints", checkpoints_shape())
          .describe("how often training saves its state")
          .default_text("never"),
      field("epochs", any_of_shape({count_shape(1, 1'000'000), enum_shape({"to_target"})}))
          .describe("epochs; to_target: as many as the network's published target took")
          .default_text("1"),
  };
}

Shape collective_name_shape() {
  return enum_shape({"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce",
                     "all_to_all", "send_recv"});
}

Shape beside_shape() {
  return object_shape({
      field("collective", collective_name_shape()).required().describe("what these ranks do"),
      field("ranks", array_shape(name_shape(), 1)).required().describe("GPUs that take part in it"),
      field("size", bytes_shape(Bytes{1}))
          .describe("of its message")
          .default_text("that of the job's collective"),
  });
}

Shape job_shape() {
  std::vector<Field> fields = training_fields();
  for (Field& more : parallelism_fields()) fields.push_back(std::move(more));
  for (Field& more : epoch_fields()) fields.push_back(std::move(more));
  fields.push_back(field("collective", collective_name_shape())
                       .describe("a bare collective instead of a training job"));
  fields.push_back(field("sizes", any_of_shape({size_range_shape(),
                                                array_shape(bytes_shape(Bytes{1}), 1, 1000)}))
                       .describe("message sizes of a bare collective")
                       .default_text("8 B .. 8 GiB x2")
                       .examples({"8 B .. 8 GiB x2"}));
  fields.push_back(field("fidelity", enum_shape({"fluid", "chunk"}))
                       .describe("fluid: a collective is one activity per channel; chunk: every "
                                 "step of a ring is simulated on every edge of it")
                       .default_text("fluid"));
  fields.push_back(field("pattern", enum_shape(collectives::pattern_words()))
                       .describe("how AllReduce is done, in a bare collective and in training")
                       .default_text("nccl"));
  fields.push_back(field("beside", array_shape(beside_shape(), 1, 100))
                       .describe("other collectives that begin together with a bare one, and "
                                 "contend with it"));
  fields.push_back(
      field("ranks", array_shape(name_shape(), 1))
          .describe("GPUs that take part, as machine and GPU, such as \"esx01/gpu0\" or "
                    "\"esx*/gpu[0-3]\"")
          .default_text("all GPUs of the machines that take part"));
  fields.push_back(
      field("nccl",
            map_shape("\"version\", or a variable of NCCL such as NCCL_P2P_LEVEL", name_shape()))
          .describe("release of NCCL and its environment variables")
          .default_text("the newest release that is known, with its defaults"));
  fields.push_back(field("vms", any_of_shape({name_shape(), array_shape(name_shape(), 1)}))
                       .describe("VMs, or hosts without VMs, that take part; names or patterns")
                       .default_text("all")
                       .examples({"train*"}));
  return object_shape(std::move(fields));
}

Shape variability_shape() {
  return object_shape({
      field("compute_sigma", number_shape(0.0, 2.0))
          .describe("log-normal jitter of each rank's computing time in each iteration: standard "
                    "deviation of its logarithm; the mean stays")
          .default_text("none is drawn; the wait for the slowest rank is its expectation")
          .examples({"0.03"}),
      field("stragglers", map_shape("name of a GPU such as esx03/gpu1, of a host or of a VM",
                                    number_shape(0.01, 1000.0)))
          .describe("how many times longer something computes, always"),
      field("seed", count_shape(0, 1'000'000'000'000))
          .describe("of the random draws; each rank has a sequence of its own, by its name")
          .default_text("1"),
  });
}

Shape fault_shape() {
  return object_shape({
      field("link", name_shape())
          .required()
          .describe("NIC (both directions of its port) or GPU (all of its links) of a host")
          .examples({"esx01/vmnic4"}),
      field("at", time_shape()).required().describe("time from the start").examples({"2 s"}),
      field("until", time_shape()).describe("when all is well again").default_text("never"),
      field("share", number_shape(0.0, 1.0))
          .required()
          .describe("of the capacity that remains; 0 for a link that is down"),
  });
}

Shape idealise_shape() {
  return object_shape({
      field("latency", enum_shape({"zero", "modelled"}))
          .describe("zero: no link, switch or software takes time of its own")
          .default_text("modelled"),
      field("virtualization", enum_shape({"zero", "modelled"}))
          .describe("zero: kernels run in a VM as fast as on bare metal")
          .default_text("modelled"),
      field("computing", enum_shape({"ideal", "modelled"}))
          .describe("ideal: operations at the achieved share and nothing else: no gaps between "
                    "kernels, no ranks slower than others, nothing lost to gradient traffic")
          .default_text("modelled"),
      field("memory", enum_shape({"unlimited", "modelled"}))
          .describe("unlimited: a job runs though its GPUs have too little memory for it")
          .default_text("modelled"),
      field("bandwidth", enum_shape({"line_rate", "effective"}))
          .describe("line_rate: payload gets all of a link; effective: what protocols leave of it")
          .default_text("effective"),
  });
}

std::vector<Field> layout_fields() {
  return {
      field("name", name_shape()).required().describe("what the scenario is called in results"),
      field("calibration", name_shape())
          .describe("what was measured on such machines: the name of a file in "
                    "configs/calibrations/, or a file beside the scenario")
          .default_text("none: the models' defaults")
          .examples({"my-hosts.json"}),
      field("vsphere", enum_shape(vsphere::Versions::words()))
          .describe("vSphere version")
          .default_text("8.0U3"),
      field("hosts", map_shape("name of a host, or a range such as esx[01-04]",
                               topology::host_shape(vsphere::host_settings_fields()), 1))
          .required()
          .describe("physical hosts"),
      field("fabric", topology::fabric_shape())
          .describe("network between hosts")
          .default_text("one non-blocking switch"),
      field("vms", map_shape("name of a VM, or a range such as train[01-04]", vsphere::vm_shape()))
          .describe("virtual machines")
          .default_text("none: the job runs on the hosts as bare metal"),
      field("job", job_shape()).required().describe("what runs"),
      field("variability", variability_shape())
          .describe("what makes equal ranks unequal")
          .default_text("nothing"),
      field("faults", array_shape(fault_shape(), 1, 10'000))
          .describe("links that fail or slow down while the job runs"),
      field("neighbours", neighbours_shape())
          .describe("what others on the same hosts move and compute all the time"),
      field("prices", prices_shape()).describe("of what a training job occupies"),
      field("reliability", reliability_shape())
          .describe("how often parts fail; {} for what is known of large clusters")
          .default_text("nothing fails but what \"disruptions\" say"),
      field("disruptions", disruptions_shape())
          .describe("what stops VMs of the job while it trains"),
      field("idealise", idealise_shape())
          .describe("take away what real links lose, to compare with arithmetic on paper"),
  };
}

}  // namespace

Shape layout_shape() { return object_shape(layout_fields()); }

Shape scenario_shape() {
  std::vector<Field> fields = layout_fields();
  fields.push_back(field("layouts", map_shape("name of a layout", patch_of(layout_shape()), 1, 100))
                       .describe("variants to compare: JSON merge patches (RFC 7396) over the rest "
                                 "of this file")
                       .default_text("one layout without a patch"));
  fields.push_back(field("expect", expect_shape())
                       .describe("what must hold of the results: vgsim check looks after it")
                       .default_text("nothing"));
  return object_shape(std::move(fields));
}

}  // namespace vgsim::scenario
