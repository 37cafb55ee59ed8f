#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "topology/importers/smi/smi_lines.hpp"

namespace vgsim::topology {

/// Callbacks for the content of blocks. Keys and paths are lower case, with single spaces.
struct SmiBlockHandler {
  /// "Driver Version : 590.48.01" outside of any block.
  std::function<void(const std::string& key, TextSpan value)> on_top = ignore;
  /// The line "GPU 00000000:83:00.0" with the normalized bus id.
  std::function<void(const std::string& bus_id, TextSpan where)> on_gpu = ignore;
  /// "Max : 5" in a block, with the titles above it: "pci/gpu link info/pcie generation/max". A
  /// line with a value can be a title as well ("vGPU ID : 3251634178").
  std::function<void(const std::string& path, TextSpan value)> on_entry = ignore;

 private:
  static void ignore(const std::string&, TextSpan) {}
};

/// Scans the plain-text output of nvidia-smi -q and nvidia-smi vgpu -q anywhere in a text. A block
/// ends before the next line that is not indented deeper than its first. Titles deeper than 16
/// levels are omitted.
void scan_smi_blocks(std::string_view text, const SmiBlockHandler& handler);

}  // namespace vgsim::topology
