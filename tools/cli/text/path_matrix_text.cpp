#include "tools/cli/text/path_matrix_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace vgsim::cli {
namespace {

std::string padded(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += fmt::format("{:<{}}", row[c], widths[c] + 2);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace

std::string path_matrix_text(const topology::inventory::PathMatrix& matrix) {
  if (matrix.names.empty()) return "no GPU or NIC with a place in the PCIe tree\n";
  std::vector<std::vector<std::string>> rows;
  auto& header = rows.emplace_back();
  header.emplace_back();
  header.insert(header.end(), matrix.names.begin(), matrix.names.end());
  header.insert(header.end(), {"CPU Affinity", "NUMA Affinity"});
  for (std::size_t r = 0; r < matrix.names.size(); ++r) {
    auto& row = rows.emplace_back();
    row.push_back(matrix.names[r]);
    for (const std::string& cell : matrix.cells[r]) row.push_back(cell == "X" ? " X" : cell);
    if (matrix.names[r].starts_with("GPU")) {
      row.push_back(matrix.cpu_list[r].empty() ? "N/A" : matrix.cpu_list[r]);
      row.push_back(matrix.numa[r].empty() ? "N/A" : matrix.numa[r]);
    }
  }
  std::string text = padded(rows);
  text +=
      "\nX self; NV# that many NVLinks; PIX one PCIe switch; PXB several; PHB one root complex;\n"
      "NODE one NUMA node; SYS between NUMA nodes\n";
  if (!matrix.nic_legend.empty()) {
    text += '\n';
    for (const std::string& name : matrix.names) {
      const auto port = matrix.nic_legend.find(name);
      if (port != matrix.nic_legend.end()) text += fmt::format("{}: {}\n", name, port->second);
    }
  }
  return text;
}

}  // namespace vgsim::cli
