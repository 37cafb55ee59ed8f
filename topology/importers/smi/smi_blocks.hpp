#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "topology/importers/smi/smi_lines.hpp"

namespace vgsim::topology {

/// Called for what a text of blocks holds. Keys and paths are lower case, with single spaces.
struct SmiBlockHandler {
  /// "Driver Version : 590.48.01" outside of any block.
  std::function<void(const std::string& key, Piece value)> on_top = ignore;
  /// The line "GPU 00000000:83:00.0" with the normalized bus id.
  std::function<void(const std::string& bus_id, Piece where)> on_gpu = ignore;
  /// "Max : 5" in a block, with the titles that it is indented under: "pci/gpu link info/pcie
  /// generation/max". A line with a value may be a title as well ("vGPU ID : 3251634178").
  std::function<void(const std::string& path, Piece value)> on_entry = ignore;

 private:
  static void ignore(const std::string&, Piece) {}
};

/// Goes through the plain-text output of nvidia-smi -q and nvidia-smi vgpu -q, wherever it stands
/// in a text. A block goes on to the next line that is indented no further than its first. Titles
/// deeper than 16 levels are left out.
void scan_smi_blocks(std::string_view text, const SmiBlockHandler& handler);

}  // namespace vgsim::topology
