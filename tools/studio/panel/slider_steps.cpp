#include "tools/studio/panel/slider_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;

/// Rates of links and drives on the market, and some between.
constexpr std::array kGigabits{1,   2,   5,   10,  15,  20,  25,  40,  50,  75,
                               100, 125, 150, 200, 250, 300, 400, 500, 600, 800};
constexpr std::array kMebibytes{1,  2,  4,  6,  8,   12,  16,  20,  25,  32,
                                40, 50, 64, 80, 100, 128, 200, 256, 400, 512};
constexpr std::array kCounts{1,  2,  3,  4,   6,   8,   12,  16,  24,  32,
                             48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};

template <class Steps>
ordered_json with_unit(const Steps& steps, const char* unit) {
  ordered_json texts = ordered_json::array();
  for (const int step : steps) texts.push_back(fmt::format("{} {}", step, unit));
  return texts;
}

/// Inserts the present value if it is not a step.
template <class Parse>
void add_value(const std::string& value, const Parse& parse, ordered_json& texts) {
  const auto own = parse(value);
  if (!own) return;
  std::size_t at = 0;
  for (; at < texts.size(); ++at) {
    const auto each = parse(texts[at].get<std::string>());
    if (each->count() == own->count()) return;
    if (each->count() > own->count()) break;
  }
  texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(at), value);
}

ordered_json counts(const ordered_json& schema, const std::string& value) {
  std::vector<std::int64_t> steps;
  const auto least = schema.value("minimum", std::int64_t{0});
  const auto most = schema.value("maximum", std::int64_t{kCounts.back()});
  constexpr std::int64_t kOfSequences = 10'000'000;  // tokens, of which there are many
  if (least == 0) steps.push_back(0);
  if (most >= kOfSequences) steps = {2048, 4096, 8192, 16384, 32768, 65536, 131072};
  for (const std::int64_t step : kCounts) {
    if (step >= least && step <= most) steps.push_back(step);
  }
  if (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos &&
      value.size() < 10) {
    steps.push_back(std::stoll(value));
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace

ordered_json slider_steps(const ordered_json& schema, const std::string& value) {
  if (schema.value("type", "") == "integer") return counts(schema, value);
  for (const ordered_json& each : schema.value("anyOf", ordered_json::array())) {
    if (each.value("type", "") == "integer") return counts(each, value);
  }
  const std::string pattern = schema.value("pattern", "");
  ordered_json texts = ordered_json::array();
  if (pattern.find("bit/s") != std::string::npos) {
    texts = with_unit(kGigabits, "Gbit/s");
    add_value(
        value, [](const std::string& text) { return input::parse_bytes_per_second(text); }, texts);
  } else if (pattern.find("MiB") != std::string::npos) {
    texts = with_unit(kMebibytes, "MiB");
    add_value(
        value, [](const std::string& text) { return input::parse_bytes(text); }, texts);
  }
  return texts;
}

}  // namespace vgsim::studio
