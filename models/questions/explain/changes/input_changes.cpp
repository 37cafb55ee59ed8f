#include "models/questions/explain/changes/change_context.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

void add_storage(const ChangeContext& at, std::vector<Change>& changes) {
  Change faster{"faster-storage", "twice the read bandwidth of storage", {}, {}, {}, false};
  for (const auto& host : layout_of(at).hosts) {
    const auto& storage = host.value->spec.storage;
    if (!storage) continue;
    faster.overrides.push_back(
        set_text(place_of(kHosts, host, "/storage/read"),
                 input::format_rate(BytesPerSecond{2 * storage->read.count()})));
  }
  add_if_any(std::move(faster), changes);
  changes.push_back({"page-cache",
                     "training data in the hosts' page cache",
                     {set_flag("/job/input/cached", true)},
                     {"guest memory for the whole data set, or a cache on a local drive"},
                     {},
                     false});
  Change direct{"gpudirect-storage",
                "GPUDirect Storage",
                {set_text("/job/input/path", "gpudirect_storage")},
                {"a driver and a file system that support it, and an NVMe device and the GPUs in "
                 "passthrough"},
                {},
                false};
  for (const auto& vm : layout_of(at).vms) {
    direct.overrides.push_back(set_number(place_of(kVms, vm, "/other_devices/nvme"), 1));
  }
  changes.push_back(std::move(direct));
}

void add_decoding(const InputSpec& input, std::vector<Change>& changes) {
  if (input.decode != Decoding::kGpu) {
    changes.push_back({"gpu-decoding",
                       "samples decoded on the GPUs (NVIDIA DALI)",
                       {set_text("/job/input/decode", "gpu")},
                       {"a loader that decodes on GPUs; decoding costs GPU time"},
                       {},
                       false});
  }
  if (input.workers) {
    changes.push_back({"more-workers",
                       "as many loader workers as cores",
                       {take_away("/job/input/workers")},
                       {"vCPUs for the workers"},
                       {},
                       false});
  }
}

}  // namespace

void add_input_changes(const ChangeContext& at, std::vector<Change>& changes) {
  if (!at.result.training) return;
  add_storage(at, changes);
  const TrainingSpec& job = layout_of(at).job->training;
  add_decoding(*job.input, changes);
  if (job.prefetched_batches && *job.prefetched_batches < 2) {
    changes.push_back({"prefetch",
                       "two batches prefetched",
                       {set_number("/job/prefetched_batches", 2)},
                       {"host memory for the batches"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
