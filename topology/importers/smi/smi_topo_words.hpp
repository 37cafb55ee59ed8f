#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/importers/smi/smi_lines.hpp"

namespace vgsim::topology {

/// Whether a word is a GPU name in nvidia-smi topo: "GPU0".
[[nodiscard]] bool is_smi_gpu_name(std::string_view word);

/// The current word for a cell of nvidia-smi topo -m: "X", "NV12", "PIX", "PXB", "PHB",
/// "NODE" or "SYS". SOC of old drivers is SYS; PSB, a switch on the board of a two-GPU card, is
/// PIX. Empty for any other word.
[[nodiscard]] std::string topo_path_of(std::string_view word);

/// Whether a word is a cell of nvidia-smi topo -p2p: "OK", "CNS", "GNS", "TNS", "NS", "DR", "U".
[[nodiscard]] bool is_p2p_word(std::string_view word);

/// "NODENODE" as its cells: columns run into each other where tabs were lost. Empty if it is not
/// two or more cells.
[[nodiscard]] std::vector<TextSpan> glued_cells(TextSpan word);

/// Columns behind those of the devices.
enum class TopoColumn : unsigned char { kCpuAffinity, kNumaAffinity, kGpuNumaId };

/// The first line of a matrix.
struct TopoHeader {
  std::vector<std::string> names;  ///< GPUs, then NICs; as written, may repeat
  std::vector<TopoColumn> columns;
  TextSpan where;  ///< without text
};

/// Words of a line of a matrix. Bars count as spaces.
[[nodiscard]] std::vector<TextSpan> topo_words(TextSpan line);

/// Whether a line is dots, for rows that were left out, or the rule below a header in Markdown.
[[nodiscard]] bool is_topo_rule(const std::vector<TextSpan>& words);

/// Reads a header, with or without an empty first cell and separators ("GPU0GPU1", "GPU7CPU
/// Affinity"). Nothing if the words are not a header.
[[nodiscard]] std::optional<TopoHeader> topo_header(const std::vector<TextSpan>& words);

/// The text of each column after the cells of a row; `at` is the index of its first word. Empty if
/// words are missing and no tabs identify the columns.
[[nodiscard]] std::vector<std::string_view> topo_tail(TextSpan line,
                                                      const std::vector<TextSpan>& words,
                                                      std::size_t at,
                                                      const std::vector<TopoColumn>& columns);

/// Whether a word can only be in a header: a title, or a name of nvidia-smi's own making.
[[nodiscard]] bool is_header_word(std::string_view word);

}  // namespace vgsim::topology
