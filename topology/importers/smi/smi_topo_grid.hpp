#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/smi/smi_topo_words.hpp"

namespace vgsim::topology {

struct TopoCell {
  std::string word;  ///< topo_path_of(), or a word of topo -p2p; empty for N/A
  std::size_t offset = 0;
};

struct TopoRow {
  std::size_t device = 0;  ///< index into TopoGrid::names
  std::vector<TopoCell> cells;
  std::string cpu_list;  ///< as written; empty if unknown
  std::string numa;
  std::string gpu_numa;
  std::size_t offset = 0;
};

/// A matrix of nvidia-smi topo as in a text.
struct TopoGrid {
  std::vector<std::string> names;
  std::vector<TopoRow> rows;  ///< each device at most once; some may be missing, some be short
  std::map<std::string, std::string> nic_legend;
  bool is_p2p = false;  ///< of topo -p2p
  std::size_t offset = 0;
};

/// Finds the matrices in a text with any other content around them, and calls `sink(grid)` for each
/// until it returns false. A row truncated by the end of the text is read up to there.
///
/// Errors: kBadValue for unknown cell words, rows that do not match the header, a duplicate device;
/// kTooMuch for a header of more than 512 devices.
void scan_topo(std::string_view text, FileNotes& notes,
               const std::function<bool(const TopoGrid&)>& sink);

}  // namespace vgsim::topology
