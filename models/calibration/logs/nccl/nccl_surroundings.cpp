#include "models/calibration/logs/nccl/nccl_surroundings.hpp"

#include <cmath>
#include <cstdint>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_phrases.hpp"

namespace vgsim::calibration::logs {
namespace {

bool is_version_sign(char c) { return (c >= '0' && c <= '9') || c == '.'; }

/// The digits and points at the beginning of the text, if it begins with a digit.
std::string_view version_at(std::string_view text) {
  if (text.empty() || text.front() == '.') return {};
  std::size_t end = 0;
  while (end < text.size() && is_version_sign(text[end])) ++end;
  while (end > 0 && text[end - 1] == '.') --end;
  return text.substr(0, end);
}

/// "mlx5_0:1/IB/SHARP", also after "[0]" or "[1]={[2]".
std::optional<NcclNic> ib_nic_in(std::string_view word) {
  const std::size_t bracket = word.rfind(']');
  if (bracket != std::string_view::npos) word.remove_prefix(bracket + 1);
  while (!word.empty() && (word.back() == ',' || word.back() == '}')) word.remove_suffix(1);
  const std::string_view name = cut_at(word, ":");
  const auto port = number_in(cut_at(word, "/"), kMaxNcclRanks);
  if (name.empty() || !port || word.empty()) return std::nullopt;
  return NcclNic{{}, printable_text(name), port, printable_text(word)};
}

/// "[0]eth0:10.0.0.1<0>"
std::optional<NcclNic> socket_in(std::string_view word) {
  const std::size_t bracket = word.find(']');
  if (!word.starts_with('[') || bracket == std::string_view::npos) return std::nullopt;
  word.remove_prefix(bracket + 1);
  const std::string_view name = cut_at(word, ":");
  if (name.empty() || word.empty()) return std::nullopt;
  return NcclNic{{}, printable_text(name), {}, "Socket"};
}

/// Both numbers of "3.000000/2.400000".
bool take_pair(std::string_view text, double& first, double& second) {
  const auto a = parse<double>(cut_at(text, "/"));
  const auto b = parse<double>(text);
  if (!a || !b || !std::isfinite(*a) || !std::isfinite(*b)) return false;
  first = *a;
  second = *b;
  return true;
}

}  // namespace

std::vector<NcclNic> nics_in(std::string_view text) {
  std::vector<NcclNic> nics;
  const bool is_socket = text.starts_with("NET/Socket");
  if (!is_socket && !text.starts_with("NET/IB")) return nics;
  const std::size_t begin = text.find(": Using ");
  if (begin == std::string_view::npos) return nics;
  for (const std::string_view word : split(text.substr(begin + 8))) {
    if (word == "OOB") break;
    auto nic = is_socket ? socket_in(word) : ib_nic_in(word);
    if (nic) nics.push_back(std::move(*nic));
  }
  return nics;
}

std::optional<NcclSetting> setting_in(std::string_view text) {
  if (!text.starts_with("NCCL_") && !text.starts_with("RCCL_")) return std::nullopt;
  const std::string_view name = cut_at(text, " ");
  if (!text.starts_with("set ")) return std::nullopt;
  const std::size_t to = text.find("to ");
  if (to == std::string_view::npos) return std::nullopt;
  std::string_view value = trimmed(text.substr(to + 3));
  const bool is_number =
      value.ends_with('.') && parse<std::int64_t>(value.substr(0, value.size() - 1)).has_value();
  if (is_number) value.remove_suffix(1);
  return NcclSetting{printable_text(name), printable_text(value)};
}

std::optional<NcclGraph> graph_in(std::string_view text) {
  if (!text.starts_with("Pattern ")) return std::nullopt;
  NcclGraph graph;
  bool is_whole = false;
  while (!text.empty()) {
    std::string_view value = trimmed(cut_at(text, ","));
    const std::string_view key = cut_at(value, " ");
    if (key == "Pattern" || key == "nChannels") {
      const auto count = number_in(value, kMaxNcclChannels);
      if (!count) return std::nullopt;
      (key == "Pattern" ? graph.pattern : graph.channels) = *count;
    } else if (key == "bw" || key == "speed") {
      if (!take_pair(value, graph.gigabytes_per_second_intra, graph.gigabytes_per_second_inter)) {
        return std::nullopt;
      }
    } else if (key == "type") {
      graph.type_intra = printable_text(cut_at(value, "/"));
      graph.type_inter = printable_text(value);
      is_whole = true;
    }
  }
  return is_whole ? std::optional(std::move(graph)) : std::nullopt;
}

std::optional<VersionPhrase> version_in(std::string_view line) {
  constexpr std::string_view kWord = "CCL version ";
  const std::size_t at = line.find(kWord);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  std::string_view rest = trimmed(line.substr(at + kWord.size()));
  if (rest.starts_with(':')) rest = trimmed(rest.substr(1));
  const std::string_view version = version_at(rest);
  if (!contains(version, ".")) return std::nullopt;
  VersionPhrase phrase{line[at - 1] == 'R', std::string(version), {}};
  rest.remove_prefix(version.size());
  for (const std::string_view word : {"+cuda", "+hip"}) {
    if (rest.starts_with(word)) phrase.cuda = version_at(rest.substr(word.size()));
  }
  return phrase;
}

}  // namespace vgsim::calibration::logs
