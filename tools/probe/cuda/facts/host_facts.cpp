#include "tools/probe/cuda/facts/host_facts.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <memory>
#include <sstream>

#include "tools/probe/cuda/text_file.hpp"

namespace vgsim::probe::cuda {
namespace {

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// What stands behind the first "key :" of /proc/cpuinfo.
std::string processor_fact(const std::string& key) {
  std::istringstream lines(text_of_file("/proc/cpuinfo"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && trimmed(line.substr(0, colon)) == key) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return {};
}

/// Without the escape sequences that colour a terminal: ESC [ ... letter.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      result += text[i];
      continue;
    }
    if (i + 1 >= text.size() || text[i + 1] != '[') continue;
    i += 2;
    while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
  }
  return result;
}

}  // namespace

std::string processor() { return processor_fact("model name"); }

std::string hypervisor() {
  const std::string flags = " " + processor_fact("flags") + " ";
  if (flags.find(" hypervisor ") == std::string::npos) return {};
  const std::string vendor = trimmed(text_of_file("/sys/class/dmi/id/sys_vendor"));
  const std::string product = trimmed(text_of_file("/sys/class/dmi/id/product_name"));
  const std::string both = trimmed(vendor + " " + product);
  return both.empty() ? "unknown" : both;
}

std::optional<std::size_t> numa_node_of(const std::string& pci_address) {
  const std::string text = text_of_file("/sys/bus/pci/devices/" + pci_address + "/numa_node");
  std::size_t node = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  return error == std::errc() ? std::optional(node) : std::nullopt;
}

std::string topology_matrix() {
  const auto close = [](std::FILE* pipe) { pclose(pipe); };
  std::unique_ptr<std::FILE, decltype(close)> pipe(popen("nvidia-smi topo -m 2>/dev/null", "r"),
                                                   close);
  if (!pipe) return {};
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), count);
  }
  return pclose(pipe.release()) == 0 ? plain(text) : "";
}

}  // namespace vgsim::probe::cuda
