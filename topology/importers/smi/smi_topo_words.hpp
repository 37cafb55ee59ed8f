#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/importers/smi/smi_lines.hpp"

namespace vgsim::topology {

/// "GPU0", as the rows and columns of nvidia-smi topo are called.
[[nodiscard]] bool is_smi_gpu_name(std::string_view word);

/// What a cell of nvidia-smi topo -m says, in today's words: "X", "NV12", "PIX", "PXB", "PHB",
/// "NODE" or "SYS". SOC of old drivers is SYS; PSB, a switch on the board of a two-GPU card, is
/// PIX. Empty for any other word.
[[nodiscard]] std::string topo_path_of(std::string_view word);

/// Whether nvidia-smi topo -p2p says it of two GPUs: "OK", "CNS", "GNS", "TNS", "NS", "DR", "U".
[[nodiscard]] bool is_p2p_word(std::string_view word);

/// "NODENODE" as its cells: columns run into each other where tabs were lost. Empty if it is not
/// two or more cells.
[[nodiscard]] std::vector<Piece> glued_cells(Piece word);

/// Columns behind those of the devices.
enum class TopoColumn : unsigned char { kCpuAffinity, kNumaAffinity, kGpuNumaId };

/// The first line of a matrix.
struct TopoHeader {
  std::vector<std::string> names;  ///< GPUs, then NICs; as written, may repeat
  std::vector<TopoColumn> columns;
  Piece where;  ///< without text
};

/// Words of a line of a matrix. Bars count as spaces.
[[nodiscard]] std::vector<Piece> topo_words(Piece line);

/// Whether a line is dots, for rows that were left out, or the rule below a header in Markdown.
[[nodiscard]] bool is_topo_rule(const std::vector<Piece>& words);

/// Reads a header, with or without an empty first cell, cells glued or not ("GPU0GPU1",
/// "GPU7CPU Affinity"). Empty if the words are none.
[[nodiscard]] std::optional<TopoHeader> topo_header(const std::vector<Piece>& words);

/// What stands in each column behind the cells of a row, of whose words that at `at` is the first
/// behind them. Empty if that cannot be told: words are missing, and no tabs tell which.
[[nodiscard]] std::vector<std::string_view> topo_tail(Piece line, const std::vector<Piece>& words,
                                                      std::size_t at,
                                                      const std::vector<TopoColumn>& columns);

/// Whether a word can only be in a header: a title, or a name of nvidia-smi's own making.
[[nodiscard]] bool is_header_word(std::string_view word);

}  // namespace vgsim::topology
