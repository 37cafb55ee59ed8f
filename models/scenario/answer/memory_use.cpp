#include "models/scenario/answer/memory_use.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "models/training/memory.hpp"
#include "models/training/stages.hpp"

namespace vgsim::scenario {
namespace {

using training::LayerGroup;
using training::Parallelism;

/// Memory of the smallest GPU or vGPU of the job, in bytes.
std::optional<double> smallest_memory(const Placement& placement, const Library& library) {
  std::optional<double> least;
  for (const vsphere::GuestView& view : placement.views()) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const auto model =
          library.catalog->gpus.find(placement.cluster->topology.node(view.gpu(g)).model);
      if (model == library.catalog->gpus.end()) return std::nullopt;
      auto bytes = static_cast<double>(model->second.memory.value.count());
      const auto& profiles = view.vm().profiles;
      if (g < profiles.size() && profiles[g] != nullptr) {
        bytes = std::min(bytes, static_cast<double>(profiles[g]->framebuffer.count()));
      }
      if (view.vm().remote_client) bytes *= view.vm().remote_client->gpu_memory;
      least = least ? std::min(*least, bytes) : bytes;
    }
  }
  return least;
}

}  // namespace

std::optional<MemoryUse> memory_use(const Placement& placement, const Library& library) {
  const training::TrainingJob& job = *placement.job.training;
  const auto capacity = smallest_memory(placement, library);
  if (!capacity) return std::nullopt;
  const Parallelism& p = job.parallelism;
  auto reserve = static_cast<double>(library.parameters.bytes("framework_memory").count());
  if (p.ranks() > 1) {
    reserve += static_cast<double>(library.parameters.bytes("communicator_memory").count());
  }
  const double cached = library.parameters.number("allocator_cache");
  std::optional<MemoryUse> fullest;
  const auto stages = training::cut_into_stages(*job.network, p, job.tokens);
  for (std::size_t s = 0; s < stages.size(); ++s) {
    std::vector<const LayerGroup*> layers;
    for (const auto& chunk : stages[s]) layers.insert(layers.end(), chunk.begin(), chunk.end());
    const auto parts = training::memory_of(layers, p, s, job.tokens, job.state, reserve);
    if (fullest && training::total(parts) <= fullest->needed) continue;
    MemoryUse use;
    use.capacity = *capacity;
    use.needed = training::total(parts);
    use.reserve = reserve;
    use.usual = use.needed + cached * (use.needed - reserve);
    double of_samples = 0;
    for (const auto& part : parts) {
      use.parts[part.what] = part.bytes;
      if (part.of_samples) of_samples += part.bytes;
      if (part.is_cached) use.usual += part.bytes;
    }
    if (of_samples > 0) {
      const double left = use.capacity - (use.needed - of_samples);
      use.largest_micro_batch = static_cast<std::int64_t>(
          std::max(0.0, std::floor(left / of_samples * static_cast<double>(p.micro_batch))));
    }
    fullest = use;
  }
  return fullest;
}

}  // namespace vgsim::scenario
