#include "models/calibration/logs/dcgm/dcgm_prometheus.hpp"

#include <algorithm>

#include "models/calibration/logs/dcgm/dcgm_fields.hpp"
#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs::dcgm {
namespace {

constexpr std::size_t kMostLabels = 100;

bool is_name(std::string_view text) {
  const auto is_sign = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
  };
  return !text.empty() && std::ranges::all_of(text, is_sign);
}

/// Removes the quoted string at the beginning of the text. Nothing if it has no end.
std::optional<std::string> take_string(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string value;
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '"') {
      text.remove_prefix(at + 1);
      return printable_text(value);
    }
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    value += text[at];
  }
  return std::nullopt;
}

/// Reads the labels in braces. False if they cannot be read.
bool take_labels(std::string_view& text, Sample& sample) {
  text = trimmed(text.substr(1));
  while (!text.starts_with('}')) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || sample.labels.size() == kMostLabels) return false;
    const std::string_view name = trimmed(text.substr(0, equals));
    text = trimmed(text.substr(equals + 1));
    auto value = take_string(text);
    if (!value || !is_name(name)) return false;
    sample.labels.emplace_back(name, std::move(*value));
    text = trimmed(text);
    if (text.starts_with(',')) text = trimmed(text.substr(1));
  }
  text = trimmed(text.substr(1));
  return true;
}

}  // namespace

/// Prometheus text format: labels are quoted with escapes, and a time can follow the value.
/// Exporters use different label names, so label_of() takes two.
std::optional<Sample> sample_in(std::string_view line) {
  std::string_view text = trimmed(line);
  Sample sample;
  sample.name = text.substr(0, text.find_first_of("{ \t"));
  if (!is_name(sample.name)) return std::nullopt;
  text = trimmed(text.substr(sample.name.size()));
  if (text.starts_with('{') && !take_labels(text, sample)) return std::nullopt;
  const Words words = split(text.substr(0, 128));
  if (words.empty() || words.size() > 2 || !is_value(words[0])) return std::nullopt;
  sample.value = words[0];
  return sample;
}

std::string label_of(const Sample& sample, std::string_view name, std::string_view other_name) {
  for (const auto& [label, value] : sample.labels) {
    if (label == name || label == other_name) return value;
  }
  return {};
}

}  // namespace vgsim::calibration::logs::dcgm
