#include "tools/sweep/messages.hpp"

#include <fmt/format.h>

#include <cmath>

namespace vgsim::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownShards = 20;

std::string state_of(const MissingShard& missing, std::uint64_t points) {
  const std::string name = fmt::format("shard {}/{}", missing.shard.number, missing.shard.of);
  const std::uint64_t size = missing.shard.size(points);
  if (missing.points == size) return fmt::format("{}: not finished: run it with --resume", name);
  return fmt::format("{}: {} of {} points", name, missing.points, size);
}

/// Where the results are, and how many there are.
std::string place_text(const StoreHeader& header, const StoreContent& content,
                       const std::string& file) {
  std::string text = fmt::format("results in {}", file);
  if (!header.shard.whole()) {
    text += fmt::format(": shard {} of {}", header.shard.number, header.shard.of);
  }
  if (!content.complete) {
    text +=
        fmt::format(": {} of {} points so far", content.points, header.shard.size(header.points));
  }
  return text;
}

}  // namespace

std::string rough_time(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 10.0) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100.0 * 60.0) return fmt::format("{:.0f} min", seconds / 60.0);
  if (seconds < 72.0 * 3600.0) return fmt::format("{:.1f} h", seconds / 3600.0);
  return fmt::format("{:.1f} d", seconds / 86400.0);
}

std::string progress_text(const HowFar& far, double seconds) {
  const double rate = seconds > 0.0 ? static_cast<double>(far.now) / seconds : 0.0;
  const double left = static_cast<double>(far.all - far.done) / rate;
  return fmt::format("{}/{}  {:.3g}/s  ETA {}  failed {}", far.done, far.all, rate,
                     rough_time(left), far.failed);
}

std::string kept_text(std::uint64_t points, std::uint64_t all, const std::string& command) {
  return fmt::format("vgsim: ended early: {} of {} results are stored; continue with\n  {}\n",
                     points, all, command);
}

std::string missing_text(const std::vector<MissingShard>& missing, const StoreHeader& header) {
  std::uint64_t points = 0;
  for (const MissingShard& each : missing) points += each.shard.size(header.points) - each.points;
  std::string text = fmt::format(
      "vgsim: nothing merged: {} of {} shards are not complete, {} of "
      "{} points missing\n",
      missing.size(), missing.front().shard.of, points, header.points);
  for (std::size_t i = 0; i < missing.size() && i < kShownShards; ++i) {
    text += fmt::format("  {}\n", state_of(missing[i], header.points));
  }
  if (missing.size() > kShownShards) {
    text += fmt::format("  and {} more\n", missing.size() - kShownShards);
  }
  return text;
}

std::string result_screen(const Summary& summary, const StoreHeader& header,
                          const StoreContent& content, const std::string& file,
                          const std::vector<std::string>& metrics,
                          const text::TerminalSize& terminal) {
  text::ScreenLines lines = summary_screen(summary, header.sweep, metrics, terminal);
  lines.text(place_text(header, content, file) + "; full summary: --full", 3);
  return lines.joined();
}

std::string result_text(const Summary& summary, const StoreHeader& header,
                        const StoreContent& content, const std::string& file,
                        const std::vector<std::string>& metrics) {
  return summary_text(summary, header.sweep, metrics) + "\n" + place_text(header, content, file) +
         "\n";
}

std::string result_json(const Summary& summary, const StoreHeader& header,
                        const StoreContent& content, const std::string& file) {
  Json out = summary_json(summary, header.sweep);
  out["complete"] = content.complete;
  out["shard"] = {{"number", header.shard.number}, {"of", header.shard.of}};
  out["results"] = file;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::sweep
