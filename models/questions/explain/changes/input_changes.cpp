#include <fmt/core.h>

#include <algorithm>

#include "models/questions/explain/changes/document.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

void add_storage(const Situation& at, std::vector<Change>& changes) {
  Change faster{"faster-storage", "storage that reads twice as fast", {}, {}, {}, false};
  for (const std::string& host : names_at(at.document, "/hosts")) {
    const std::string place = fmt::format("/hosts/{}/storage/read", host);
    const auto rate = input::parse_bytes_per_second(text_at(at.document, place));
    if (!rate) continue;
    faster.overrides.push_back(
        set_text(place, input::format_rate(BytesPerSecond{2 * rate->count()})));
  }
  if (!faster.overrides.empty()) changes.push_back(std::move(faster));
  changes.push_back({"page-cache",
                     "training data in the hosts' page cache",
                     {set_flag("/job/input/cached", true)},
                     {"guest memory for the whole data set, or a cache on a local drive"},
                     {},
                     false});
  changes.push_back({"gpudirect-storage",
                     "GPUDirect Storage",
                     {set_text("/job/input/path", "gpudirect_storage")},
                     {"a driver and a file system that support it, and GPUs in passthrough"},
                     {},
                     false});
}

void add_decoding(const Situation& at, std::vector<Change>& changes) {
  if (text_at(at.document, "/job/input/decode") != "gpu") {
    changes.push_back({"gpu-decoding",
                       "samples decoded by the GPUs, as DALI does",
                       {set_text("/job/input/decode", "gpu")},
                       {"a loader that does so; it takes GPU time"},
                       {},
                       false});
  }
  if (const auto workers = value_at(at.document, "/job/input/workers")) {
    changes.push_back({"more-workers",
                       "as many loader workers as there are cores",
                       {take_away("/job/input/workers")},
                       {"vCPUs for them"},
                       {},
                       false});
  }
}

}  // namespace

void add_input_changes(const Situation& at, std::vector<Change>& changes) {
  if (!at.result.training) return;
  add_storage(at, changes);
  add_decoding(at, changes);
  const auto prefetched = value_at(at.document, "/job/prefetched_batches");
  if (prefetched && prefetched->kind() == input::Kind::integer && prefetched->integer() < 2) {
    changes.push_back({"prefetch",
                       "two batches loaded ahead",
                       {set_number("/job/prefetched_batches", 2)},
                       {"host memory for them"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
