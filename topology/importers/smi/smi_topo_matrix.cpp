#include "topology/importers/smi/smi_topo_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

bool is_nvlink(const std::string& cell) { return cell.starts_with("NV"); }

/// Checks for X exactly on the diagonal; otherwise columns are shifted.
void check_diagonal(const TopoGrid& grid, const TopoRow& row, FileNotes& notes) {
  for (std::size_t column = 0; column < row.cells.size(); ++column) {
    const TopoCell& cell = row.cells[column];
    const bool is_self = column == row.device;
    if (cell.word.empty() || (cell.word == "X") == is_self) continue;
    notes.error(import_codes::kBadValue, notes.at(cell.offset),
                fmt::format("the row of {} has {} in the column of {}", grid.names[row.device],
                            cell.word, grid.names[column]),
                is_self ? "X" : "X only in the row's own column");
    return;
  }
}

void warn_of_gaps(const TopoGrid& grid, FileNotes& notes) {
  std::vector<bool> stated(grid.names.size());
  for (const TopoRow& row : grid.rows) {
    stated[row.device] = true;
    if (row.cells.size() >= grid.names.size()) continue;
    notes.warn(import_codes::kOddValue, notes.at(row.offset), "The row ends before its last cell",
               grid.names[row.device]);
  }
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (stated[i]) continue;
    notes.warn(import_codes::kOddValue, notes.at(grid.offset),
               "The header names the device, but its row is missing", grid.names[i]);
  }
}

/// Completes each pair in both directions, or warns where they differ.
void complete(const TopoGrid& grid, PathMatrix& matrix, FileNotes& notes) {
  for (const TopoRow& row : grid.rows) {
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      const std::string& there = matrix.cells[row.device][column];
      std::string& back = matrix.cells[column][row.device];
      if (back.empty()) back = there;
      if (there.empty() || there == back || row.device > column) continue;
      notes.warn(import_codes::kContradiction, notes.at(row.cells[column].offset),
                 "The matrix is not symmetric",
                 fmt::format("{} to {} is {} and back {}", grid.names[row.device],
                             grid.names[column], there, back));
    }
  }
}

}  // namespace

/// The matrix is symmetric, so a truncated cell is taken from the other half, and different halves
/// are a warning.
PathMatrix path_matrix_of(const TopoGrid& grid, FileNotes& notes) {
  const std::size_t count = grid.names.size();
  PathMatrix matrix;
  matrix.names = grid.names;
  matrix.cells.assign(count, std::vector<std::string>(count));
  matrix.cpu_list.resize(count);
  matrix.numa.resize(count);
  matrix.nic_legend = grid.nic_legend;
  matrix.source = notes.source()->path;
  for (const TopoRow& row : grid.rows) {
    check_diagonal(grid, row, notes);
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      matrix.cells[row.device][column] = row.cells[column].word;
    }
    matrix.cpu_list[row.device] = row.cpu_list;
    matrix.numa[row.device] = row.numa;
  }
  complete(grid, matrix, notes);
  warn_of_gaps(grid, notes);
  return matrix;
}

bool has_nvlinks(const PathMatrix& matrix) {
  return std::ranges::any_of(matrix.cells,
                             [](const auto& row) { return std::ranges::any_of(row, is_nvlink); });
}

std::string difference_of(const PathMatrix& that, const PathMatrix& matrix) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < that.names.size(); ++i) index.emplace(that.names[i], i);
  if (that.names.size() != matrix.names.size()) {
    return fmt::format("that has {} devices and this {}", that.names.size(), matrix.names.size());
  }
  for (const std::string& name : matrix.names) {
    if (index.count(name) == 0) return fmt::format("that has no {}", name);
  }
  std::vector<std::size_t> place;  // of each device in that
  for (const std::string& name : matrix.names) place.push_back(index.at(name));
  const bool one_without_nvlinks = has_nvlinks(that) != has_nvlinks(matrix);
  for (std::size_t row = 0; row < matrix.names.size(); ++row) {
    for (std::size_t column = 0; column < matrix.names.size(); ++column) {
      const std::string& here = matrix.cells[row][column];
      const std::string& there = that.cells[place[row]][place[column]];
      if (here == there || here.empty() || there.empty()) continue;
      if (one_without_nvlinks && (is_nvlink(here) || is_nvlink(there))) continue;
      return fmt::format("{} to {} is {} in that and {} in this", matrix.names[row],
                         matrix.names[column], there, here);
    }
  }
  return {};
}

}  // namespace vgsim::topology
