#include "models/calibration/logs/nccl_tests/nccl_tests_words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs::nccl_tests {
namespace {

constexpr std::size_t kMaxRank = 1'000'000;
constexpr std::size_t kLongestProgram = 24;  ///< letters, without "_perf"

constexpr std::array<std::string_view, 20> kTypes = {
    "int8",     "char", "uint8",  "int32",   "int",      "uint32",  "int64",
    "uint64",   "half", "float",  "float16", "float32",  "double",  "float64",
    "bfloat16", "bf16", "f8e4m3", "f8e5m2",  "fp8_e4m3", "fp8_e5m2"};

/// The programs of nccl-tests and the names of their collectives in a job.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kPrograms = {{
    {"all_reduce", "all_reduce"},
    {"all_gather", "all_gather"},
    {"reduce_scatter", "reduce_scatter"},
    {"broadcast", "broadcast"},
    {"reduce", "reduce"},
    {"alltoall", "all_to_all"},
    {"sendrecv", "send_recv"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"hypercube", "hypercube"},
}};

/// The word after that word, or nothing.
std::optional<std::string_view> after(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + word.size());
}

}  // namespace

std::optional<Device> device_in(std::string_view line) {
  const std::size_t hash = line.find('#');
  if (hash == std::string_view::npos) return std::nullopt;
  const Words words = split(line.substr(hash + 1));
  const std::size_t device = line.find(" device ");
  if (words.size() < 2 || words[0] != "Rank" || device == std::string_view::npos) {
    return std::nullopt;
  }
  const auto rank = parse<std::size_t>(words[1]);
  if (!rank || *rank > kMaxRank) return std::nullopt;
  Device found{*rank, {}, {}};
  const auto on = std::ranges::find(words, "on");
  if (words.end() - on > 1) found.host = printable_text(*(on + 1));
  if (const auto model = after(line.substr(device), "] ")) {
    found.model = printable_text(trimmed(*model));
  }
  return found;
}

std::optional<std::string> collective_in(std::string_view line) {
  for (std::size_t at = line.find("_perf"); at != std::string_view::npos;
       at = line.find("_perf", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && at - begin < kLongestProgram &&
           ((line[begin - 1] >= 'a' && line[begin - 1] <= 'z') || line[begin - 1] == '_')) {
      --begin;
    }
    const std::string_view name = line.substr(begin, at - begin);
    for (const auto& [program, collective] : kPrograms) {
      if (name == program) return std::string(collective);
    }
  }
  return std::nullopt;
}

bool is_type(std::string_view word) { return std::ranges::find(kTypes, word) != kTypes.end(); }

std::string version_text(int number) {
  const int major = number >= 10000 ? number / 10000 : number / 1000;
  const int minor = number >= 10000 ? number / 100 % 100 : number / 100 % 10;
  return fmt::format("{}.{}.{}", major, minor, number % 100);
}

std::optional<std::string> nccl_version_in(std::string_view line) {
  if (const auto stated = after(line, "nccl-library=")) {
    const auto number = parse<int>(stated->substr(0, stated->find_first_not_of("0123456789")));
    return number ? std::optional(version_text(*number)) : std::nullopt;
  }
  const auto stated = after(line, "NCCL version ");
  if (!stated) return std::nullopt;
  const std::string_view version = stated->substr(0, stated->find_first_not_of("0123456789."));
  return version.empty() ? std::nullopt : std::optional(std::string(version));
}

}  // namespace vgsim::calibration::logs::nccl_tests
