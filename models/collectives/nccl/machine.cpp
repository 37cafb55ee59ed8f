#include "models/collectives/nccl/machine.hpp"

#include <array>
#include <string_view>

namespace vgsim::collectives::nccl {

CpuModel cpu_model_of(CpuVendor vendor, std::int64_t family, std::int64_t model) {
  if (vendor == CpuVendor::kZhaoxin) {
    return family == 7 && model == 0x5b ? CpuModel::kYongfeng : CpuModel::kOther;
  }
  if (vendor == CpuVendor::kAmd) {
    if (family == 26 || family == 191) return CpuModel::kZen5;
    return family == 25 || family == 175 ? CpuModel::kZen3 : CpuModel::kOther;
  }
  if (vendor != CpuVendor::kIntel) return CpuModel::kOther;
  if (family != 6 || model < 0x55) return CpuModel::kBroadwell;
  if (model < 0x8f) return CpuModel::kSkylake;
  if (model >= 0xad && model <= 0xaf) return CpuModel::kGraniteRapids;
  return model < 0xcf ? CpuModel::kSapphireRapids : CpuModel::kEmeraldRapids;
}

double pci_bandwidth_of(std::string_view link_speed, std::int64_t lanes) {
  struct Rate {
    std::string_view text;
    int per_lane;  // 100 Mb/s, without encoding and protocol overhead
  };
  // Kernels up to 5.6 write "16 GT/s", later ones "16.0 GT/s PCIe".
  constexpr std::array kRates = {Rate{"2.5 GT/s", 15},        Rate{"5 GT/s", 30},
                                 Rate{"8 GT/s", 60},          Rate{"16 GT/s", 120},
                                 Rate{"32 GT/s", 240},        Rate{"5.0 GT/s PCIe", 30},
                                 Rate{"8.0 GT/s PCIe", 60},   Rate{"16.0 GT/s PCIe", 120},
                                 Rate{"32.0 GT/s PCIe", 240}, Rate{"64.0 GT/s PCIe", 480}};
  int per_lane = 60;
  for (const Rate& rate : kRates) {
    if (link_speed.starts_with(rate.text)) {
      per_lane = rate.per_lane;
      break;
    }
  }
  return static_cast<double>((lanes == 0 ? 16 : lanes) * per_lane) / 80.0;
}

}  // namespace vgsim::collectives::nccl
