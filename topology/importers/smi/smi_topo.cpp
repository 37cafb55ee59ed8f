#include <fmt/core.h>

#include <utility>

#include "topology/importers/smi/smi_parts.hpp"
#include "topology/importers/smi/smi_topo_grid.hpp"
#include "topology/importers/smi/smi_topo_matrix.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostMatrices = 16;
constexpr std::int64_t kLastNode = 1023;

/// Merges the matrices of a text.
///
/// A text can contain the matrix several times, from topo -m and topo -mp, which hides NVLinks. One
/// is kept, with NVLinks if any has them, and the others must agree with it; otherwise the file
/// describes two machines.
class Matrices {
 public:
  explicit Matrices(FileNotes& notes) : notes_(notes) {}

  /// Adds a matrix; returns whether scanning continues.
  bool add(const TopoGrid& grid);
  [[nodiscard]] const std::optional<PathMatrix>& matrix() const { return matrix_; }
  /// Its rows as in the text, by device.
  [[nodiscard]] const std::vector<TopoRow>& rows() const { return rows_; }
  [[nodiscard]] const std::optional<std::size_t>& p2p() const { return p2p_; }

 private:
  void take(const TopoGrid& grid, PathMatrix matrix);

  FileNotes& notes_;
  std::optional<PathMatrix> matrix_;
  std::vector<TopoRow> rows_;
  std::optional<std::size_t> p2p_;  ///< offset of the first matrix of topo -p2p
  std::size_t count_ = 0;
};

void Matrices::take(const TopoGrid& grid, PathMatrix matrix) {
  matrix_ = std::move(matrix);
  rows_.assign(grid.names.size(), {});
  for (const TopoRow& row : grid.rows) rows_[row.device] = row;
}

bool Matrices::add(const TopoGrid& grid) {
  const input::Location where = notes_.at(grid.offset);
  if (++count_ > kMostMatrices) {
    notes_.error(import_codes::kTooMuch, where, fmt::format("more than {} matrices", kMostMatrices),
                 "the output of one nvidia-smi topo -m");
    return false;
  }
  if (grid.is_p2p) {
    if (!p2p_) p2p_ = grid.offset;
    return true;
  }
  if (notes_.failed()) return true;
  PathMatrix matrix = path_matrix_of(grid, notes_);
  if (!matrix_) {
    take(grid, std::move(matrix));
    return true;
  }
  const std::string difference = difference_of(*matrix_, matrix);
  if (!difference.empty()) {
    notes_.error(import_codes::kDoNotFit, where,
                 fmt::format("a second matrix that disagrees with the first: {}", difference),
                 "one host in one file");
    return false;
  }
  if (has_nvlinks(matrix) && !has_nvlinks(*matrix_)) take(grid, std::move(matrix));
  return true;
}

/// The list of nodes or CPUs; empty if the text is not a list ("-31,64-95", a truncated one).
std::string checked_list(const std::string& text, const char* what, const TopoRow& row,
                         const std::string& name, FileNotes& notes) {
  if (text.empty() || text == "N/A" || (text.size() <= 255 && is_number_list(text))) return text;
  notes.warn(import_codes::kOddValue, notes.at(row.offset),
             fmt::format("The {} is not a list of numbers and is not read", what), name);
  return {};
}

std::optional<std::int64_t> node_of(const std::string& list, const char* what,
                                    const std::string& name, FileNotes& notes) {
  if (list.empty() || list == "N/A") return std::nullopt;
  const auto node = whole_number(list, 0, kLastNode);
  if (!node) {
    notes.skip(fmt::format("A {} that is not one node is only kept in the matrix", what), name);
  }
  return node;
}

Device gpu_of(const std::string& name, const TopoRow& row, FileNotes& notes) {
  Device device;
  device.kind = DeviceKind::kGpu;
  device.gpu.emplace();
  if (const auto index = whole_number(std::string_view(name).substr(3), 0, 9999)) {
    device.gpu->index = notes.stated(*index);
  }
  const std::string node = checked_list(row.gpu_numa, "GPU NUMA ID", row, name, notes);
  if (const auto own = node_of(node, "GPU NUMA ID", name, notes)) {
    device.gpu->numa_node = notes.stated(*own);
  }
  return device;
}

Device nic_of(const std::string& name, const PathMatrix& matrix, const FileNotes& notes) {
  Device device;
  device.kind = DeviceKind::kNic;
  const auto legend = matrix.nic_legend.find(name);
  device.ports.emplace_back();
  device.ports.back().name =
      notes.stated(legend == matrix.nic_legend.end() ? name : legend->second);
  return device;
}

/// The devices of a matrix; removes invalid values from its lists.
std::vector<Device> devices_of(PathMatrix& matrix, const std::vector<TopoRow>& rows,
                               FileNotes& notes) {
  std::vector<Device> devices;
  for (std::size_t i = 0; i < matrix.names.size(); ++i) {
    const std::string& name = matrix.names[i];
    std::string& cpus = matrix.cpu_list[i];
    std::string& numa = matrix.numa[i];
    cpus = checked_list(cpus, "CPU affinity", rows[i], name, notes);
    numa = checked_list(numa, "NUMA affinity", rows[i], name, notes);
    Device device =
        is_smi_gpu_name(name) ? gpu_of(name, rows[i], notes) : nic_of(name, matrix, notes);
    if (!cpus.empty()) device.cpu_list = notes.stated(cpus);
    if (const auto node = node_of(numa, "NUMA affinity", name, notes)) {
      device.numa_node = notes.stated(*node);
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

void refuse(const Matrices& matrices, FileNotes& notes) {
  if (matrices.p2p()) {
    notes.error(import_codes::kNothingInIt, notes.at(*matrices.p2p()),
                "a matrix of nvidia-smi topo -p2p: it shows whether peer-to-peer works, not how "
                "the devices are connected",
                "the output of nvidia-smi topo -m");
  } else {
    notes.error(import_codes::kNothingInIt, notes.at(0), "no matrix of nvidia-smi topo",
                "the output of nvidia-smi topo -m, from the line \"GPU0 GPU1 ...\" on");
  }
}

}  // namespace

void read_smi_topo(FileNotes& notes, Inventory& host) {
  Matrices matrices(notes);
  scan_topo(notes.source()->text, notes, [&](const TopoGrid& grid) { return matrices.add(grid); });
  if (notes.failed()) return;
  if (!matrices.matrix()) return refuse(matrices, notes);
  PathMatrix matrix = *matrices.matrix();
  if (matrices.p2p()) {
    notes.skip(kP2pIsNotRead);
  }
  host.unplaced = devices_of(matrix, matrices.rows(), notes);
  host.matrix = std::move(matrix);
}

bool is_smi_topo(std::string_view text) {
  if (text.find("GPU") == text.npos) return false;
  FileNotes ignored(input::make_source("", ""));
  bool found = false;
  scan_topo(text, ignored, [&](const TopoGrid&) {
    found = true;
    return false;
  });
  return found;
}

bool has_path_matrix(std::string_view text) {
  if (text.find("GPU") == text.npos) return false;
  FileNotes ignored(input::make_source("", ""));
  bool found = false;
  scan_topo(text, ignored, [&](const TopoGrid& grid) {
    found = !grid.is_p2p;
    return !found;
  });
  return found;
}

std::optional<PathMatrix> parse_path_matrix(std::string_view text) {
  FileNotes notes(input::make_source("", std::string(text)));
  Inventory host;
  read_smi_topo(notes, host);
  return notes.failed() ? std::nullopt : host.matrix;
}

}  // namespace vgsim::topology
