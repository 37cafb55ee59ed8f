#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/smi/smi_blocks.hpp"
#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_lines.hpp"
#include "topology/importers/smi/smi_merge.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

using inventory::Vgpu;

constexpr std::size_t kMostGpus = 4096;
constexpr std::size_t kMostVgpus = 4096;

/// A vGPU as it is read.
struct VgpuEntry {
  std::string name;
  std::string vm_name;
  std::string vm_uuid;
  std::string vm_id;

  [[nodiscard]] std::string vm() const {
    if (!vm_name.empty()) return vm_name;
    return vm_uuid.empty() ? vm_id : vm_uuid;
  }
};

/// vgpu -q uses the blocks of -q with other titles: a vGPU begins with its id and ends with the
/// next one. Only the name of a vGPU in ESXi and its VM are kept; only its bus id identifies the
/// GPU.
class VgpuReader {
 public:
  explicit VgpuReader(FileNotes& notes) : notes_(notes) {}

  std::vector<Device> read();

 private:
  void begin_gpu(const std::string& bus_id, TextSpan where);
  void add_entry(const std::string& path, TextSpan value);
  void end_gpu();
  void end_vgpu();

  FileNotes& notes_;
  std::vector<Device> devices_;
  std::size_t vgpus_ = 0;
  std::optional<Device> gpu_;
  TextSpan where_;  ///< of the GPU, without text
  std::optional<std::int64_t> active_;
  std::size_t listed_ = 0;  ///< vGPUs of the GPU
  std::optional<VgpuEntry> vgpu_;
};

void VgpuReader::begin_gpu(const std::string& bus_id, TextSpan where) {
  end_gpu();
  gpu_.emplace();
  gpu_->kind = inventory::DeviceKind::kGpu;
  gpu_->bus_id = bus_id;
  gpu_->gpu.emplace();
  where_ = {std::string_view(), where.offset};
  active_.reset();
  listed_ = 0;
}

void VgpuReader::end_vgpu() {
  if (!vgpu_) return;
  ++listed_;
  if (++vgpus_ > kMostVgpus) {
    if (vgpus_ == kMostVgpus + 1) {
      notes_.error(import_codes::kTooMuch, notes_.at(where_),
                   fmt::format("more than {} vGPUs", kMostVgpus), "one host");
    }
  } else if (vgpu_->name.empty()) {
    notes_.warn(import_codes::kOddValue, notes_.at(where_), "A vGPU without a name is not read",
                gpu_->bus_id);
  } else {
    gpu_->gpu->vgpus.push_back({vgpu_profile_of(vgpu_->name), vgpu_->vm()});
  }
  vgpu_.reset();
}

void VgpuReader::end_gpu() {
  end_vgpu();
  if (!gpu_ || !active_) return;
  if (*active_ != static_cast<std::int64_t>(listed_)) {
    notes_.warn(import_codes::kContradiction, notes_.at(where_),
                "The listed vGPUs differ from the count of the GPU",
                fmt::format("{} ({} of {})", gpu_->bus_id, listed_, *active_));
  }
  if (devices_.size() < kMostGpus) {
    devices_.push_back(std::move(*gpu_));
  } else if (!notes_.failed()) {
    notes_.error(import_codes::kTooMuch, notes_.at(where_),
                 fmt::format("more than {} GPUs", kMostGpus), "one host");
  }
  gpu_.reset();
}

void VgpuReader::add_entry(const std::string& path, TextSpan value) {
  if (path == "active vgpus") active_ = whole_number(value.text, 0, kMostVgpus);
  if (path == "vgpu id") {
    end_vgpu();
    vgpu_.emplace();
  }
  if (!vgpu_ || is_not_told(value.text)) return;
  const std::string text = printable(value.text);
  if (path == "vgpu id/vgpu name") vgpu_->name = text;
  if (path == "vgpu id/vm name") vgpu_->vm_name = text;
  if (path == "vgpu id/vm uuid") vgpu_->vm_uuid = text;
  if (path == "vgpu id/vm id") vgpu_->vm_id = text;
}

std::vector<Device> VgpuReader::read() {
  SmiBlockHandler handler;
  handler.on_gpu = [&](const std::string& bus_id, TextSpan where) { begin_gpu(bus_id, where); };
  handler.on_entry = [&](const std::string& path, TextSpan value) { add_entry(path, value); };
  scan_smi_blocks(notes_.source()->text, handler);
  end_gpu();
  return std::move(devices_);
}

}  // namespace

void read_smi_vgpu(FileNotes& notes, Inventory& host) {
  std::vector<Device> devices = VgpuReader(notes).read();
  if (devices.empty()) {
    notes.error(import_codes::kNothingInIt, notes.at(0), "no GPU of nvidia-smi vgpu -q",
                "\"GPU 00000000:82:00.0\" and \"Active vGPUs\" below it");
  }
  add_smi_devices(std::move(devices), notes, host);
}

bool is_smi_vgpu(std::string_view text) {
  if (text.find("Active vGPUs") == text.npos) return false;
  bool found = false;
  SmiBlockHandler handler;
  handler.on_entry = [&](const std::string& path, TextSpan) {
    found = found || path == "active vgpus";
  };
  scan_smi_blocks(text, handler);
  return found;
}

}  // namespace vgsim::topology
