#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/vsphere/facts/profiles.hpp"
#include "models/vsphere/spec/host_settings.hpp"

namespace vgsim::vsphere {

/// How the vGPUs of one GPU may be laid out.
struct SharingRules {
  Scheduler scheduler = Scheduler::kBestEffort;
  bool mixed_sizes = false;          ///< the host is set to it
  bool mixed_sizes_allowed = false;  ///< and the version of vSphere has it
  bool mixed_series_allowed = true;  ///< profiles of Q, C and A series of one size on a GPU
};

/// The assigned parts of a GPU. Running vGPUs never move.
class GpuOccupancy {
 public:
  /// A vGPU on it.
  struct Place {
    const Profile* profile = nullptr;
    /// In mixed-size mode its placement id (GB of framebuffer); of MIG the first memory slice.
    std::optional<std::int64_t> start;
  };

  [[nodiscard]] bool is_free() const { return !whole_ && places_.empty(); }
  [[nodiscard]] bool is_whole() const { return whole_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// Assigned GB of framebuffer, or MIG memory slices.
  [[nodiscard]] std::int64_t used() const;

  /// In passthrough, to one VM. It must be free.
  void take_whole() { whole_ = true; }

  /// The rule that keeps a vGPU of this profile off the GPU, or nullptr.
  [[nodiscard]] const char* refuses(const Profile& profile, const Board& board,
                                    const SharingRules& rules) const;
  /// Places it; refuses() must be empty.
  const Place& take(const Profile& profile, const Board& board, const SharingRules& rules);

  /// The number of further vGPUs of this profile that fit on the GPU.
  [[nodiscard]] std::size_t room_for(const Profile& profile, const Board& board,
                                     const SharingRules& rules) const;

 private:
  [[nodiscard]] bool has_media_engines_taken() const;
  [[nodiscard]] bool has_other_series(const Profile& profile) const;
  [[nodiscard]] bool is_mixed(const Profile& profile) const;
  [[nodiscard]] std::optional<std::int64_t> free_placement(const Profile& profile,
                                                           const Board& board) const;
  [[nodiscard]] std::optional<std::int64_t> free_slices(const Profile& profile,
                                                        const Board& board) const;

  bool whole_ = false;
  std::vector<Place> places_;
};

}  // namespace vgsim::vsphere
