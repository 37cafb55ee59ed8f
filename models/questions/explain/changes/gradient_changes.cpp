#include <fmt/core.h>

#include "models/questions/explain/changes/document.hpp"

namespace vgsim::scenario {
namespace {

void add_types(const Situation& at, std::vector<Change>& changes) {
  if (text_at(at.document, "/job/gradients", "fp32") == "fp32") {
    changes.push_back({"16-bit-gradients",
                       "gradients reduced in fp16 instead of fp32",
                       {set_text("/job/gradients", "fp16")},
                       {"loss scaling, and a look at the accuracy that is reached"},
                       {},
                       true});
  }
  const std::string precision = text_at(at.document, "/job/precision", "fp16");
  if (precision == "fp32" || precision == "tf32") {
    changes.push_back({"16-bit-products",
                       fmt::format("matrix products in fp16 instead of {}", precision),
                       {set_text("/job/precision", "fp16")},
                       {"loss scaling, and a look at the accuracy that is reached"},
                       {},
                       true});
  } else if (precision != "fp8") {
    changes.push_back({"fp8-products",
                       fmt::format("matrix products in fp8 instead of {}", precision),
                       {set_text("/job/precision", "fp8")},
                       {"GPUs from Hopper on, Transformer Engine"},
                       {},
                       true});
  }
}

void add_buckets(const Situation& at, std::vector<Change>& changes) {
  for (const char* cap : {"5 MiB", "50 MiB", "100 MiB"}) {
    if (text_at(at.document, "/job/buckets/cap", "25 MiB") == cap) continue;
    changes.push_back({"bucket-size",
                       fmt::format("gradient buckets of {} (bucket_cap_mb)", cap),
                       {take_away("/job/buckets"), set_text("/job/buckets/cap", cap)},
                       {},
                       {},
                       false});
  }
  if (value_at(at.document, "/job/buckets")) {
    changes.push_back({"bucket-size",
                       "gradient buckets as PyTorch DDP makes them, 25 MiB",
                       {take_away("/job/buckets")},
                       {},
                       {},
                       false});
  }
  const auto overlap = value_at(at.document, "/job/overlap");
  if (overlap && overlap->kind() == input::Kind::boolean && !overlap->boolean()) {
    changes.push_back({"overlap",
                       "gradients reduced while the backward pass goes on",
                       {set_flag("/job/overlap", true)},
                       {},
                       {},
                       false});
  }
}

void add_batches(const Situation& at, std::vector<Change>& changes) {
  const auto batch = value_at(at.document, "/job/batch_per_gpu");
  if (batch && batch->kind() == input::Kind::integer) {
    changes.push_back({"larger-batch",
                       fmt::format("a batch of {} instead of {} on each GPU", 2 * batch->integer(),
                                   batch->integer()),
                       {set_number("/job/batch_per_gpu", 2.0 * batch->number())},
                       {"memory for the activations, and a learning rate that fits"},
                       {},
                       true});
  }
  if (!value_at(at.document, "/job/parallel") && !value_at(at.document, "/job/accumulation")) {
    changes.push_back({"accumulation",
                       "gradients accumulated over four micro-batches",
                       {set_number("/job/accumulation", 4)},
                       {"a learning rate that fits a batch four times as large"},
                       {},
                       true});
  }
}

}  // namespace

void add_gradient_changes(const Situation& at, std::vector<Change>& changes) {
  if (!at.result.training) return;
  add_types(at, changes);
  add_buckets(at, changes);
  add_batches(at, changes);
  const auto graphs = value_at(at.document, "/job/cuda_graphs");
  if (!graphs || graphs->kind() != input::Kind::boolean || !graphs->boolean()) {
    changes.push_back({"cuda-graphs",
                       "kernels launched by CUDA graphs",
                       {set_flag("/job/cuda_graphs", true)},
                       {"a network whose shapes do not change"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
