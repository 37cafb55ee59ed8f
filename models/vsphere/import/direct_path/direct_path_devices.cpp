#include "models/vsphere/import/direct_path/direct_path_devices.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/utf8_source.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostAnswerBytes = std::size_t{16} << 20;
constexpr std::size_t kAnswerStartBytes = std::size_t{64} << 10;
constexpr std::size_t kMostDirectPathDevices = 4096;
constexpr std::int64_t kMegabytesBound = std::int64_t{1} << 32;

/// Answers are as the API writes them, or as tools print them: a list, or an object with "items".
class DirectPathReader {
 public:
  explicit DirectPathReader(const input::SourcePtr& source) : notes_(source) {}

  tl::expected<VsphereFacts, input::Diagnostics> read() {
    VsphereFacts facts;
    if (notes_.is_plain_text(kMostAnswerBytes)) {
      for (const VimValue& document : read_vim_json(notes_)) read_document(document);
    }
    if (!notes_.failed() && host_.unplaced.empty()) {
      notes_.error(codes::kNothingInIt, Place{}, "the answer lists no device");
    }
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    notes_.tell(host_);
    facts.hosts.push_back(std::move(host_));
    return facts;
  }

 private:
  void read_document(const VimValue& document) {
    for (const VimValue* item : items(&document, "items")) read_item(*item);
  }

  static bool offers(const VimValue* info, std::string_view mode) {
    const auto modes = items(info, "configurable_modes");
    return std::ranges::any_of(
        modes, [&](const VimValue* known) { return known->text.starts_with(mode); });
  }

  void read_item(const VimValue& item) {
    const VimValue* info = find(&item, "info");
    if (info == nullptr || host_.unplaced.size() >= kMostDirectPathDevices) return;
    Device device;
    if (const VimValue* id = find(&item, "device")) device.bus_id = hex_bus_id(id->text);
    device.name = vim_text(find(info, "name"), notes_);
    device.driver = vim_text(find(info, "driver_name"), notes_);
    const auto mode = vim_text(find(info, "current_mode"), notes_);
    if (mode) device.passthrough = notes_.stated(mode->value.ends_with("DIRECTPATH"));
    const auto memory =
        vim_number(find(info, "memory_info.total_memory"), 0, kMegabytesBound, notes_);
    if (memory || offers(info, "VGPU")) {
      device.kind = DeviceKind::kGpu;
      device.gpu.emplace();
      if (memory && memory->value > 0) {
        device.gpu->memory = notes_.stated(Bytes{memory->value * kMebibyte});
      }
    } else if (offers(info, "ENHANCED_DIRECTPATH")) {
      device.kind = DeviceKind::kNic;
    }
    if (find(info, "interconnect_type") != nullptr) {
      notes_.skip("the file does not state which GPUs an interconnect joins",
                  device.name ? device.name->value : "");
    }
    host_.unplaced.push_back(std::move(device));
  }

  FileNotes notes_;
  Inventory host_;
};

}  // namespace

bool is_direct_path_devices(std::string_view text) {
  constexpr std::array<std::string_view, 3> kWords = {"\"items\"", "\"current_mode\"",
                                                      "\"configurable_modes\""};
  const std::string start = utf8_start(text, kAnswerStartBytes);
  return std::ranges::all_of(kWords,
                             [&](std::string_view word) { return start.find(word) != start.npos; });
}

tl::expected<VsphereFacts, input::Diagnostics> read_direct_path_devices(
    const input::SourcePtr& source) {
  return DirectPathReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
