#include <fmt/core.h>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

void add_types(const TrainingSpec& job, std::vector<Change>& changes) {
  if (*job.gradients == "fp32") {
    changes.push_back({"16-bit-gradients",
                       "gradients reduced in fp16 instead of fp32",
                       {set_text("/job/gradients", "fp16")},
                       {"loss scaling, and a check of the accuracy"},
                       {},
                       true});
  }
  const std::string& precision = *job.precision;
  if (precision == "fp32" || precision == "tf32") {
    changes.push_back({"16-bit-products",
                       fmt::format("matrix products in fp16 instead of {}", precision),
                       {set_text("/job/precision", "fp16")},
                       {"loss scaling, and a check of the accuracy"},
                       {},
                       true});
  } else if (precision == "fp16" || precision == "bf16") {
    changes.push_back({"fp8-products",
                       fmt::format("matrix products in fp8 instead of {}", precision),
                       {set_text("/job/precision", "fp8")},
                       {"Hopper GPUs or later, and Transformer Engine"},
                       {},
                       true});
  }
}

void add_buckets(const TrainingSpec& job, Bytes usual, std::vector<Change>& changes) {
  const Bytes now = job.buckets ? (*job.buckets)->cap.value_or(usual) : usual;
  for (const std::int64_t mebibytes : {5, 50, 100}) {
    const Bytes other{mebibytes << 20};
    if (other == now) continue;
    const std::string cap = fmt::format("{} MiB", mebibytes);
    changes.push_back({"bucket-size",
                       fmt::format("gradient buckets of {} (bucket_cap_mb)", cap),
                       {take_away("/job/buckets"), set_text("/job/buckets/cap", cap)},
                       {},
                       {},
                       false});
  }
  if (job.buckets) {
    changes.push_back(
        {"bucket-size",
         fmt::format("gradient buckets of {} MiB, PyTorch DDP's default", usual.count() >> 20),
         {take_away("/job/buckets")},
         {},
         {},
         false});
  }
  if (!job.overlap) {
    changes.push_back({"overlap",
                       "gradients reduced during the backward pass",
                       {set_flag("/job/overlap", true)},
                       {},
                       {},
                       false});
  }
}

void add_batches(const TrainingSpec& job, std::vector<Change>& changes) {
  if (job.batch_per_gpu.given) {
    const std::int64_t batch = *job.batch_per_gpu;
    changes.push_back({"larger-batch",
                       fmt::format("a batch of {} instead of {} per GPU", 2 * batch, batch),
                       {set_number("/job/batch_per_gpu", 2.0 * static_cast<double>(batch))},
                       {"memory for the activations, and a new learning rate"},
                       {},
                       true});
  }
  if (!job.parallel.given && job.accumulation == 1) {
    changes.push_back({"accumulation",
                       "gradients accumulated over four micro-batches",
                       {set_number("/job/accumulation", 4)},
                       {"a learning rate for a batch four times as large"},
                       {},
                       true});
  }
}

}  // namespace

void add_gradient_changes(const ChangeContext& at, std::vector<Change>& changes) {
  if (!at.result.training) return;
  const TrainingSpec& job = layout_of(at).job->training;
  add_types(job, changes);
  add_buckets(job, at.library.parameters.bytes("ddp_bucket_cap"), changes);
  add_batches(job, changes);
  if (!job.cuda_graphs) {
    changes.push_back({"cuda-graphs",
                       "CUDA graphs",
                       {set_flag("/job/cuda_graphs", true)},
                       {"a network with constant tensor shapes"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
