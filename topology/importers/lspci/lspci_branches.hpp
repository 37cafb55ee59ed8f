#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::topology {

/// A function in the tree of lspci -t.
struct TreeFunction {
  std::string bus_id;
  std::string_view words;  ///< name, ids or both, as printed; empty for bridges
  bool is_bridge = false;
  std::vector<std::size_t> below;  ///< indices of those behind it
};

struct TreeRoot {
  std::string root_complex;  ///< "0000:16"
  std::vector<std::size_t> functions;
};

struct FunctionTree {
  std::vector<TreeRoot> roots;
  std::vector<TreeFunction> functions;  ///< in the file's order, those above before those below
};

/// Whether the tree begins on this line: "-[0000:00]-+-00.0" or "-+-[0000:80]-...".
[[nodiscard]] bool begins_lspci_tree(std::string_view line);

/// Reads the lines of the tree by their columns. Stops at the first error.
[[nodiscard]] FunctionTree read_function_tree(const input::SourcePtr& source,
                                              input::Diagnostics& errors);

}  // namespace vgsim::topology
