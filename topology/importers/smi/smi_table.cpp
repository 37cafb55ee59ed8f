#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_lines.hpp"
#include "topology/importers/smi/smi_merge.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostRows = 4096;

bool is_cut(std::string_view text) { return text.ends_with("...") || text.ends_with(".."); }

/// The cells of "| a | b | c |"; empty for other lines.
std::vector<TextSpan> cells_of(TextSpan line) {
  line = trimmed(line);
  if (line.text.size() < 2 || line.text.front() != '|' || line.text.back() != '|') return {};
  return fields_of({line.text.substr(1, line.text.size() - 2), line.offset + 1}, '|', 16);
}

/// The text after the first word, without a last word that is the persistence mode or driver model.
std::string name_of(TextSpan cell, const std::vector<TextSpan>& words) {
  constexpr std::array<std::string_view, 5> kModes = {"On", "Off", "TCC", "WDDM", "MCDM"};
  const TextSpan& last = words.back();
  const bool has_mode = std::ranges::find(kModes, last.text) != kModes.end();
  const std::size_t begin = words[0].offset + words[0].text.size() - cell.offset;
  const std::size_t end = has_mode ? last.offset - cell.offset : cell.text.size();
  if (end <= begin) return {};
  const std::string_view name = trimmed(cell.text.substr(begin, end - begin));
  return is_cut(name) ? std::string() : printable(name);
}

/// One GPU in the table.
struct GpuRow {
  SmiGpuFacts facts;
  std::vector<inventory::Vgpu> vgpus;
  std::size_t lines = 1;  ///< number of lines read so far
};

/// The table has cells between bars, two or three lines per GPU, and truncated names. The first
/// line of a GPU has a number and a bus id in its first two cells; the lines below it up to the
/// next rule contain its memory and its MIG mode, in this order. A truncated name is omitted, not
/// guessed.
class TableReader {
 public:
  TableReader(FileNotes& notes, Inventory& host) : notes_(notes), host_(host) {}

  void read();
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  void read_driver(TextSpan line);
  bool read_gpu(const std::vector<TextSpan>& cells);
  bool read_vgpu(const std::vector<TextSpan>& cells);
  void read_more(const std::vector<TextSpan>& cells);
  void end_gpu();

  FileNotes& notes_;
  Inventory& host_;
  std::optional<GpuRow> gpu_;
  std::vector<Device> devices_;
  std::size_t rows_ = 0;
};

void TableReader::read_driver(TextSpan line) {
  constexpr std::string_view kTitle = "Driver Version:";
  const std::size_t at = line.text.find(kTitle);
  if (at == line.text.npos || line.text.find("NVIDIA-SMI") == line.text.npos) return;
  const auto words = words_of({line.text.substr(at + kTitle.size()), 0}, 1);
  if (words.empty() || host_.driver || is_not_told(words[0].text)) return;
  host_.driver = notes_.stated(printable(words[0].text));
}

void TableReader::end_gpu() {
  if (!gpu_) return;
  Device device = smi_gpu_of(gpu_->facts, notes_);
  device.gpu->vgpus = std::move(gpu_->vgpus);
  devices_.push_back(std::move(device));
  gpu_.reset();
}

bool TableReader::read_gpu(const std::vector<TextSpan>& cells) {
  if (cells.size() < 3) return false;
  const auto words = words_of(cells[0], 64);
  const auto place = words_of(cells[1], 3);
  if (words.size() < 2 || place.empty()) return false;
  if (!whole_number(words[0].text, 0, 4095) || normalized_bus_id(place[0].text).empty()) {
    return false;
  }
  end_gpu();
  ++rows_;
  gpu_.emplace(GpuRow{SmiGpuFacts(notes_.at(words[0])), {}, 1});
  gpu_->facts.add(SmiFact::kIndex, words[0].text, notes_.at(words[0]));
  gpu_->facts.add(SmiFact::kBusId, place[0].text, notes_.at(place[0]));
  gpu_->facts.add(SmiFact::kName, name_of(cells[0], words), notes_.at(cells[0]));
  return true;
}

/// "3251634243  GRID P40-6Q | 10a1...  y-k8s-n-1 | 0%".
bool TableReader::read_vgpu(const std::vector<TextSpan>& cells) {
  if (cells.size() != 3 || !cells[2].text.ends_with("%")) return false;
  const auto words = words_of(cells[0], 64);
  const auto vm = words_of(cells[1], 64);
  if (words.size() < 2 || vm.empty() || !whole_number(words[0].text, 1, 0xFFFFFFFF)) return false;
  const std::string name = name_of(cells[0], words);
  const std::string who(words[0].text);
  if (name.empty()) {
    notes_.skip("A vGPU whose type the table cuts short is not read", who);
    return true;
  }
  const std::string vm_name = vm.size() < 2 ? std::string() : name_of(cells[1], vm);
  if (vm_name.empty()) notes_.skip("The VM of a vGPU is truncated", who);
  if (++rows_ <= kMostRows) gpu_->vgpus.push_back({vgpu_profile_of(name), vm_name});
  return true;
}

/// The second line of a GPU has its memory, the third its MIG mode.
void TableReader::read_more(const std::vector<TextSpan>& cells) {
  if (cells.size() != 3) return;
  ++gpu_->lines;
  if (gpu_->lines == 2) {
    const std::size_t slash = cells[1].text.rfind('/');
    if (slash == std::string_view::npos) return;
    gpu_->facts.add(SmiFact::kMemory, cells[1].text.substr(slash + 1), notes_.at(cells[1]));
  } else if (gpu_->lines == 3 && (cells[2].text == "Enabled" || cells[2].text == "Disabled")) {
    gpu_->facts.add(SmiFact::kMig, cells[2].text, notes_.at(cells[2]));
  }
}

void TableReader::read() {
  SmiLines lines(notes_.source()->text);
  for (auto line = lines.next(); line && rows_ <= kMostRows; line = lines.next()) {
    const auto cells = cells_of(*line);
    if (cells.empty()) {
      end_gpu();
      continue;
    }
    read_driver(*line);
    if (read_gpu(cells) || !gpu_ || read_vgpu(cells)) continue;
    read_more(cells);
  }
  end_gpu();
  if (rows_ > kMostRows) {
    notes_.error(import_codes::kTooMuch, notes_.at(0),
                 fmt::format("more than {} GPUs and vGPUs", kMostRows), "one host");
    return;
  }
  add_smi_devices(std::move(devices_), notes_, host_);
}

}  // namespace

void read_smi_table(FileNotes& notes, Inventory& host) {
  TableReader reader(notes, host);
  reader.read();
  if (reader.rows() > 0) return;
  notes.error(import_codes::kNothingInIt, notes.at(0), "no GPU in a table of nvidia-smi",
              "a line with number, name and bus id of each GPU");
}

bool is_smi_table(std::string_view text) {
  if (text.find("NVIDIA-SMI") == text.npos) return false;
  SmiLines lines(text);
  bool in_table = false;
  while (const auto line = lines.next()) {
    if (line->text.find("NVIDIA-SMI") != std::string_view::npos) in_table = true;
    if (!in_table) continue;
    const auto cells = cells_of(*line);
    if (cells.size() < 3) continue;
    const auto words = words_of(cells[1], 1);
    if (!words.empty() && !normalized_bus_id(words[0].text).empty()) return true;
  }
  return false;
}

}  // namespace vgsim::topology
