#include "models/calibration/logs/copies/nvbandwidth_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/log_problems.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::calibration::logs::nvbandwidth {
namespace {

constexpr std::int64_t kMaxMebibytes = 1 << 20;

/// "0000:07:00.0" from "00000000:07:00": domain, bus and device in hexadecimal digits, as
/// nvbandwidth's output.cpp prints them. The function of a GPU is 0.
std::optional<std::string> pci_address(std::string_view text) {
  std::array<unsigned, 3> fields{};
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const auto [stop, error] = std::from_chars(text.data(), text.data() + end, fields[f], 16);
    if (error != std::errc() || stop != text.data() + end) return std::nullopt;
    if ((end == text.size()) != (f + 1 == fields.size())) return std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return fmt::format("{:04x}:{:02x}:{:02x}.0", fields[0], fields[1], fields[2]);
}

}  // namespace

Output::Output(input::SourcePtr file) : file_(std::move(file)) {}

void Output::tell_version(std::string_view text, std::size_t offset) {
  const std::string stated =
      fmt::format("{}{}", text.starts_with('v') ? "" : "v", input::printable(text));
  if (version.empty()) version = stated;
  if (version == stated) return;
  errors.error(kMixedRuns, {file_, offset, 1}, "",
               fmt::format("the file mixes outputs of nvbandwidth {} and {}", version, stated),
               "runs of one version");
}

void Output::tell_device(Device device, std::size_t offset) {
  check_list(list_.add(std::move(device), offset));
}

std::vector<MeasuredGpu> Output::devices() {
  check_list(list_.end());
  return list_.gpus();
}

void Output::check_list(std::optional<std::size_t> other) {
  if (other) tell_other_devices(errors, file_, *other, "nvbandwidth");
}

std::optional<Device> device_in(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto index = parse<std::size_t>(text.substr(0, colon));
  if (!index || *index >= kMaxGpus) return std::nullopt;
  text = text.substr(colon + 1);
  const std::size_t host = text.find("): (");
  text = trimmed(host == std::string_view::npos ? text : text.substr(0, host + 1));
  Device device{*index, {}};
  const std::size_t bracket = text.rfind(" (");
  if (bracket != std::string_view::npos && text.ends_with(')')) {
    const auto address = pci_address(text.substr(bracket + 2, text.size() - bracket - 3));
    if (address) {
      device.gpu.pci_address = *address;
      text = trimmed(text.substr(0, bracket));
    }
  }
  device.gpu.name = input::printable(text);
  return device;
}

std::string cuda_version(std::string_view text) {
  const Words words = split(text);
  if (words.empty()) return {};
  const auto number = parse<int>(words[0]);
  if (!number) return input::printable(words[0]);
  return fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
}

std::optional<std::int64_t> buffer_size(std::string_view text) {
  const auto size = parse<std::int64_t>(text);
  return size && *size > 0 && *size <= kMaxMebibytes ? size : std::nullopt;
}

}  // namespace vgsim::calibration::logs::nvbandwidth
