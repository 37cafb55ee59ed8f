#include "tools/probe/cuda/facts/hypervisor.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tools/probe/cuda/facts/processor.hpp"
#include "tools/probe/cuda/text_file.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace vgsim::probe::cuda {
namespace {

/// The hypervisor's signature by CPUID; empty if there is none.
std::string signature() {
#if defined(__x86_64__)
  constexpr std::uint32_t kHypervisorLeaf = 0x40000000;
  std::uint32_t highest = 0;
  std::array<std::uint32_t, 3> words{};
  __cpuid(kHypervisorLeaf, highest, words[0], words[1], words[2]);
  std::string text(sizeof words, '\0');
  std::memcpy(text.data(), words.data(), sizeof words);
  return text;
#else
  return {};
#endif
}

}  // namespace

std::string hypervisor_signed(std::string_view signature) {
  signature = signature.substr(0, signature.find('\0'));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames{{
      {"VMwareVMware", "VMware"},
      {"KVMKVMKVM", "KVM"},
      {"Linux KVM Hv", "KVM"},
      {"Microsoft Hv", "Hyper-V"},
      {"XenVMMXenVMM", "Xen"},
      {"ACRNACRNACRN", "ACRN"},
  }};
  const auto* const known =
      std::ranges::find(kNames, signature, [](const auto& n) { return n.first; });
  if (known != kNames.end()) return std::string(known->second);
  const bool readable = std::ranges::all_of(signature, [](char c) { return c >= ' ' && c <= '~'; });
  return signature.empty() || !readable ? "unknown" : std::string(signature);
}

std::string hypervisor() {
  const std::string flags = " " + processor_fact("flags") + " ";
  if (flags.find(" hypervisor ") == std::string::npos) return {};
  const std::string vendor = trimmed(text_of_file("/sys/class/dmi/id/sys_vendor"));
  const std::string product = trimmed(text_of_file("/sys/class/dmi/id/product_name"));
  const std::string both = trimmed(vendor + " " + product);
  return both.empty() ? hypervisor_signed(signature()) : both;
}

}  // namespace vgsim::probe::cuda
