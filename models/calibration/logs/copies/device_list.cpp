#include "models/calibration/logs/copies/device_list.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::calibration::logs {
namespace {

bool is_same(const Device& a, const Device& b) {
  return a.index == b.index && a.gpu.name == b.gpu.name && a.gpu.pci_address == b.gpu.pci_address;
}

}  // namespace

std::optional<std::size_t> DeviceList::add(Device device, std::size_t offset) {
  const bool is_anew = !present_.empty() && device.index <= present_.back().index;
  const std::optional<std::size_t> other = is_anew ? end() : std::nullopt;
  if (present_.empty()) offset_ = offset;
  present_.push_back(std::move(device));
  return other;
}

std::optional<std::size_t> DeviceList::end() {
  const std::vector<Device> ended = std::exchange(present_, {});
  if (ended.empty()) return std::nullopt;
  if (first_.empty()) first_ = ended;
  const bool is_first =
      std::equal(first_.begin(), first_.end(), ended.begin(), ended.end(), is_same);
  return is_first ? std::nullopt : std::optional(offset_);
}

std::vector<MeasuredGpu> DeviceList::gpus() const {
  std::vector<MeasuredGpu> gpus(first_.empty() ? 0 : first_.back().index + 1);
  for (const Device& device : first_) gpus[device.index] = device.gpu;
  return gpus;
}

}  // namespace vgsim::calibration::logs
