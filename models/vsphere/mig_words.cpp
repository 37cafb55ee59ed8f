#include "models/vsphere/mig_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

namespace vgsim::vsphere {
namespace {

constexpr std::size_t kMaxBytes = 200;

/// "3g.40gb": slices that compute, and memory.
struct MigWords {
  std::int64_t slices = 0;
  std::int64_t gigabytes = 0;
  bool media_engines = false;
};

std::optional<MigWords> parse_mig_words(std::string_view text) {
  static const std::regex pattern(R"((?:mig[ -]?)?([1-9])g\.([1-9][0-9]{0,3})gb(\+me)?)",
                                  std::regex::icase);
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > kMaxBytes || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  return MigWords{std::stol(match[1].str()), std::stol(match[2].str()), match[3].matched};
}

/// "l40s" of "nvidia_l40s-3-24c".
std::optional<std::string> board_in_mig_name(std::string_view text) {
  static const std::regex pattern("(?:grid_|nvidia_)?([a-z0-9-]+)-[1-9]-[1-9][0-9]{0,3}c(?:me)?");
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > kMaxBytes || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  return match[1].str();
}

std::string listed_gpus(const Boards& boards) {
  std::vector<std::string> names;
  for (const Board* board : boards) {
    names.push_back(board->gpus.empty() ? board->name : board->gpus.front());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string listed_profiles(const Boards& boards) {
  std::vector<std::string> names;
  for (const Board* board : boards) {
    for (const auto& [name, profile] : board->profiles) names.push_back(name);
  }
  return fmt::format("a time-sliced profile: {}", fmt::join(names, ", "));
}

}  // namespace

const Profile* mig_profile(std::string_view text, const Boards& boards) {
  const auto words = parse_mig_words(text);
  if (!words) return nullptr;
  const Profile* found = nullptr;
  for (const Board* board : boards) {
    for (const auto& [name, profile] : board->profiles) {
      if (!profile.mig || profile.compute_slices != words->slices ||
          profile.framebuffer != Bytes{words->gigabytes * 1'000'000'000} ||
          profile.media_engines != words->media_engines || profile.vgpus_per_instance > 1) {
        continue;
      }
      if (found != nullptr) return nullptr;
      found = &profile;
    }
  }
  return found;
}

std::optional<NoMig> without_mig(std::string_view text, const Boards& boards,
                                 const Profiles& profiles) {
  const auto named = board_in_mig_name(text);
  const Board* board = named ? profiles.board(*named) : nullptr;
  Boards meant = boards;
  if (board != nullptr) {
    meant = {board};
  } else if (!named && !parse_mig_words(text)) {
    return std::nullopt;
  }
  const bool any =
      std::any_of(meant.begin(), meant.end(), [](const Board* b) { return b->has_mig(); });
  if (meant.empty() || any) return std::nullopt;
  return NoMig{fmt::format("\"{}\" is MIG-backed, but {} has no MIG", text, listed_gpus(meant)),
               listed_profiles(meant)};
}

}  // namespace vgsim::vsphere
