#include "models/vsphere/placement/gpu_occupancy.hpp"

#include <algorithm>

namespace vgsim::vsphere {
namespace {

std::int64_t gigabytes(Bytes bytes) { return bytes.count() / 1'000'000'000; }

bool overlap(std::int64_t a, std::int64_t a_size, std::int64_t b, std::int64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

struct Slices {
  std::int64_t compute = 0;
  std::int64_t memory = 0;
};

/// All of the GPU's.
Slices slices_of(const Board& board) {
  Slices all;
  for (const auto& [name, profile] : board.profiles) {
    all.compute = std::max(all.compute, profile.compute_slices);
    all.memory = std::max(all.memory, profile.memory_slices);
  }
  return all;
}

}  // namespace

std::int64_t GpuOccupancy::used() const {
  std::int64_t sum = 0;
  for (const Place& place : places_) {
    sum +=
        place.profile->mig ? place.profile->memory_slices : gigabytes(place.profile->framebuffer);
  }
  return sum;
}

bool GpuOccupancy::is_mixed(const Profile& profile) const {
  return std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    return place.profile->framebuffer != profile.framebuffer;
  });
}

std::optional<std::int64_t> GpuOccupancy::free_placement(const Profile& profile,
                                                         const Board& board) const {
  const std::int64_t size = gigabytes(profile.framebuffer);
  std::vector<std::int64_t> ids = profile.placements;
  if (ids.empty()) {
    for (std::int64_t id = 0; id + size <= gigabytes(board.memory); id += size) ids.push_back(id);
  }
  for (const std::int64_t id : ids) {
    const bool taken = std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
      return overlap(id, size, place.start.value_or(0), gigabytes(place.profile->framebuffer));
    });
    if (!taken) return id;
  }
  return std::nullopt;
}

std::optional<std::int64_t> GpuOccupancy::free_slices(const Profile& profile,
                                                      const Board& board) const {
  const Slices all = slices_of(board);
  std::vector<std::int64_t> starts = profile.starts;
  if (starts.empty()) {
    for (std::int64_t s = 0; s + profile.memory_slices <= all.memory; s += profile.memory_slices) {
      if (s + profile.compute_slices <= all.compute) starts.push_back(s);
    }
  }
  // An instance that others have already, where it takes another vGPU.
  for (const Place& place : places_) {
    const auto sharers = std::count_if(places_.begin(), places_.end(), [&](const Place& other) {
      return other.profile == &profile && other.start == place.start;
    });
    if (place.profile == &profile && sharers < profile.vgpus_per_instance) return place.start;
  }
  // From the end, which keeps the lower half whole for as long as possible.
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    const bool taken = std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
      return overlap(*start, profile.memory_slices, *place.start, place.profile->memory_slices);
    });
    if (!taken) return *start;
  }
  return std::nullopt;
}

bool GpuOccupancy::has_other_series(const Profile& profile) const {
  return std::any_of(places_.begin(), places_.end(),
                     [&](const Place& place) { return place.profile->series != profile.series; });
}

bool GpuOccupancy::has_media_engines_taken() const {
  return std::any_of(places_.begin(), places_.end(),
                     [](const Place& place) { return place.profile->media_engines; });
}

const char* GpuOccupancy::refuses(const Profile& profile, const Board& board,
                                  const SharingRules& rules) const {
  if (whole_) return "gpu-in-two-modes";
  if (!places_.empty() && places_.front().profile->mig != profile.mig) return "gpu-in-two-modes";
  if (profile.mig) {
    if (profile.media_engines && has_media_engines_taken()) return "mig-media-engines";
    return free_slices(profile, board) ? nullptr : "mig-geometry";
  }
  if (has_other_series(profile) && !rules.mixed_series_allowed) return "mixed-series-version";
  if (!is_mixed(profile) && !rules.mixed_sizes) {
    return static_cast<std::int64_t>(places_.size()) < profile.per_gpu ? nullptr
                                                                       : "vgpu-per-gpu-limit";
  }
  if (!rules.mixed_sizes_allowed) return "mixed-sizes-version";
  if (!board.is_ampere_or_newer()) return "mixed-sizes-gpu";
  if (!rules.mixed_sizes) return "mixed-sizes-off";
  if (rules.scheduler == Scheduler::kFixedShare) return "mixed-sizes-fixed-share";
  return free_placement(profile, board) ? nullptr : "mixed-sizes-no-place";
}

const GpuOccupancy::Place& GpuOccupancy::take(const Profile& profile, const Board& board,
                                              const SharingRules& rules) {
  Place place{&profile, std::nullopt};
  if (profile.mig) {
    place.start = free_slices(profile, board);
  } else if (rules.mixed_sizes) {
    place.start = free_placement(profile, board);
  }
  places_.push_back(place);
  return places_.back();
}

std::size_t GpuOccupancy::room_for(const Profile& profile, const Board& board,
                                   const SharingRules& rules) const {
  GpuOccupancy copy = *this;
  std::size_t room = 0;
  while (copy.refuses(profile, board, rules) == nullptr) {
    static_cast<void>(copy.take(profile, board, rules));
    ++room;
  }
  return room;
}

}  // namespace vgsim::vsphere
