#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/facts/cited.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere {

/// How Fabric Manager may part the GPUs of an NVSwitch board. GPUs have module ids from 1.
struct BoardPartitions {
  std::string name;
  /// Of 1, 2, 4 or all modules each; larger ones first.
  std::vector<std::vector<std::int64_t>> groups;
  std::vector<std::int64_t> module_of_gpu;  ///< by position in PCIe order
  std::string vgpu_since;                   ///< version of vSphere from which it takes vGPU groups
  /// Release of the vGPU software with the Fabric Manager for ESXi, if the board needs a
  /// specific one.
  std::optional<DriverRelease> fabric_manager;
};

/// All of `configs/vsphere/partitions.json`.
class Partitions {
 public:
  /// Those of a board with `gpus` GPUs of the catalogue name `gpu`; nullptr if unknown.
  [[nodiscard]] const BoardPartitions* of(std::string_view gpu, std::size_t gpus) const;

  [[nodiscard]] static tl::expected<Partitions, input::Diagnostics> read(
      const input::SourcePtr& file);
  [[nodiscard]] static input::Shape shape();

 private:
  std::vector<BoardPartitions> boards_;
  std::map<std::string, std::size_t, std::less<>> board_of_gpu_;
};

}  // namespace vgsim::vsphere
