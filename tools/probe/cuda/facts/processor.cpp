#include "tools/probe/cuda/facts/processor.hpp"

#include <sstream>

#include "tools/probe/cuda/text_file.hpp"

namespace vgsim::probe::cuda {

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

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

}  // namespace vgsim::probe::cuda
