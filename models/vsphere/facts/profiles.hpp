#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/facts/cited.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere {

/// A vGPU profile, by the name that ESXi gives it: "grid_a100d-80c", MIG-backed "grid_a100d-3-40c".
struct Profile {
  std::string name;
  std::string board;  ///< "a100d"
  bool mig = false;
  /// 'c' for compute; 'q' for workstations, which compute as well; 'b' and 'a' for desktops and
  /// applications.
  char series = 'c';
  Bytes framebuffer{};
  std::int64_t per_gpu = 1;  ///< of this size alone on a GPU
  std::optional<std::int64_t> mixed_per_gpu;
  /// Where it may begin in mixed-size mode, in GB of the framebuffer; empty where unknown.
  std::vector<std::int64_t> placements;
  /// Of a MIG-backed one.
  std::int64_t compute_slices = 0;
  std::int64_t memory_slices = 0;
  std::vector<std::int64_t> starts;  ///< memory slices where it may begin; empty for any
  bool media_engines = false;
  std::int64_t vgpus_per_instance = 1;  ///< time-sliced vGPUs on one MIG instance

  /// Whether its guests have CUDA.
  [[nodiscard]] bool has_cuda() const { return series == 'c' || series == 'q'; }
  /// Whether it is all of a GPU, time-sliced.
  [[nodiscard]] bool is_whole() const { return !mig && per_gpu == 1; }
};

/// Support of a board for vGPUs; members are empty where no source states more.
struct VgpuSupport {
  std::optional<DriverRelease>
      from;                         ///< first release of the vGPU software that supports the board
  std::optional<DriverRelease> to;  ///< the last
  std::optional<std::string> vsphere;  ///< first version of vSphere
};

/// A GPU board as NVIDIA's vGPU software distinguishes boards.
struct Board {
  std::string name;
  std::vector<std::string> gpus;  ///< catalogue names
  std::string architecture;       ///< "ampere"
  Bytes memory{};
  Bytes bar1{};  ///< the part of the PCIe address space of its memory: a power of two
  bool nvlink = false;
  VgpuSupport vgpu;
  std::map<std::string, Profile, std::less<>> profiles;
  /// Of the GPU without MIG, and of a MIG instance by its compute slices; empty where not known.
  std::int64_t multiprocessors = 0;
  std::map<std::int64_t, std::int64_t> multiprocessors_of_slices;

  /// Ampere and newer: SR-IOV, MIG or GPUDirect RDMA with vGPU become possible.
  [[nodiscard]] bool is_ampere_or_newer() const;
  /// Ada and newer: GPUDirect Storage with vGPU becomes possible.
  [[nodiscard]] bool is_newer_than_ampere() const;
  /// Hopper and newer: unified memory leaves peer-to-peer alone.
  [[nodiscard]] bool is_hopper_or_newer() const;
  /// Whether any of its profiles is backed by MIG.
  [[nodiscard]] bool has_mig() const;
  /// The share of the GPU's multiprocessors of an instance of a MIG-backed profile, 0 to 1: by
  /// count if it is known, otherwise by slices.
  [[nodiscard]] double compute_share(const Profile& profile) const;
  /// The same for its memory bandwidth.
  [[nodiscard]] double memory_share(const Profile& profile) const;
};

/// All of `configs/vsphere/profiles.json`.
class Profiles {
 public:
  /// Nothing if unknown.
  [[nodiscard]] const Profile* find(std::string_view name) const;
  [[nodiscard]] const Board* board(std::string_view name) const;
  /// The board that a GPU of the catalogue is.
  [[nodiscard]] const Board* board_of(std::string_view gpu) const;
  [[nodiscard]] std::vector<std::string> names() const;

  [[nodiscard]] static tl::expected<Profiles, input::Diagnostics> read(
      const input::SourcePtr& file);
  [[nodiscard]] static input::Shape shape();

 private:
  std::map<std::string, Board, std::less<>> boards_;
  std::map<std::string, std::string, std::less<>> board_of_profile_;
  std::map<std::string, std::string, std::less<>> board_of_gpu_;
};

}  // namespace vgsim::vsphere
