#include "tools/cli/import/written_mark.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "models/questions/check/result_fingerprint.hpp"
#include "topology/machine/json_text.hpp"

namespace vgsim::cli {
namespace {

constexpr std::string_view kBefore = "Written by vgsim import (";
constexpr std::string_view kUnmarked = "0000000000000000";
constexpr std::string_view kAfter = "), which overwrites it until it is edited.";

/// The position of the mark, or of the place for it; npos if there is none.
std::size_t place_in(const std::string& text) {
  const std::size_t before = text.find(kBefore);
  const std::size_t place = before + kBefore.size();
  const bool is_one = before != text.npos && text.size() > place + kUnmarked.size() &&
                      text.compare(place + kUnmarked.size(), kAfter.size(), kAfter) == 0;
  return is_one ? place : text.npos;
}

}  // namespace

/// The mark contains the fingerprint of the text without it.
std::string marked_text(const nlohmann::ordered_json& scenario) {
  nlohmann::ordered_json commented;
  commented["$comment"] = fmt::format("{}{}{}", kBefore, kUnmarked, kAfter);
  commented.update(scenario);
  std::string text = topology::inventory::to_readable_text(commented);
  return text.replace(place_in(text), kUnmarked.size(), scenario::text_fingerprint(text));
}

bool is_unedited(const std::string& text) {
  const std::size_t place = place_in(text);
  if (place == text.npos) return false;
  std::string unmarked = text;
  unmarked.replace(place, kUnmarked.size(), kUnmarked);
  return text.compare(place, kUnmarked.size(), scenario::text_fingerprint(unmarked)) == 0;
}

}  // namespace vgsim::cli
