#include "models/questions/check/result_fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

bool is_of_the_engine(const std::string& key) {
  constexpr std::array<std::string_view, 3> kKeys = {"events", "iterations_run", "repeats_after"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

/// Adds a line per number, members sorted by name.
void add_numbers(const Json& value, const std::string& place, std::string& lines) {
  if (value.is_number()) {
    lines += fmt::format("{} {:.9g}\n", place, value.get<double>());
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      add_numbers(value[i], fmt::format("{}/{}", place, i), lines);
    }
  } else if (value.is_object()) {
    std::vector<std::string> keys;
    for (const auto& [key, member] : value.items()) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    for (const std::string& key : keys) {
      if (!is_of_the_engine(key))
        add_numbers(value.at(key), fmt::format("{}/{}", place, key), lines);
    }
  }
}

}  // namespace

double to_twelve_digits(double value) {
  return std::strtod(fmt::format("{:.12g}", value).c_str(), nullptr);
}

std::string result_fingerprint(const Json& layout) {
  std::string lines;
  add_numbers(layout, "", lines);
  return text_fingerprint(lines);
}

std::string text_fingerprint(const std::string& text) {
  Fingerprint fingerprint;
  for (const char c : text) fingerprint.add(static_cast<unsigned char>(c));
  return fingerprint_text(fingerprint.value());
}

}  // namespace vgsim::scenario
