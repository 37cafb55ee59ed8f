#include "models/calibration/logs/perftest/perftest_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/perftest/perftest_table.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::calibration {
namespace {

using input::Diagnostics;
using logs::perftest::Header;
namespace codes = topology::import_codes;

constexpr std::size_t kMost = 1'000'000;  ///< limit of queue pairs, and of an MTU in bytes

bool is_same(const PerftestPoint& a, const PerftestPoint& b) {
  return a.size == b.size && a.iterations == b.iterations && a.average == b.average &&
         a.peak == b.peak && a.typical_s == b.typical_s && a.mean_s == b.mean_s;
}

bool is_same(const PerftestRun& a, const PerftestRun& b) {
  return a.test == b.test &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const auto& x, const auto& y) { return is_same(x, y); });
}

/// "RDMA_Write BW" from "RDMA_Write BW Test"; "RDMA_Read Latency" likewise.
std::optional<std::string> test_in(std::string_view line) {
  for (const std::string_view end : {" BW Test", " Latency Test", " Lat Test"}) {
    if (!line.ends_with(end) || line.size() > 80) continue;
    return logs::printable_text(line.substr(0, line.size() - std::string_view(" Test").size()));
  }
  return std::nullopt;
}

/// The word after "name   : ", in a line that can contain two settings.
std::string_view stated(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos;
       at = line.find(name, at + 1)) {
    const logs::Words words = logs::split(line.substr(at + name.size()));
    if (words.size() > 1 && words[0] == ":") return words[1];
  }
  return {};
}

/// Settings precede a table; a run begins with its title or its table. Client and server print the
/// same results, possibly into one file: a run or line that repeats a recent one is dropped.
class PerftestReader {
 public:
  PerftestReader(const input::SourcePtr& file, Diagnostics& warnings)
      : file_(file), warnings_(warnings) {}

  tl::expected<std::vector<PerftestRun>, Diagnostics> read() {
    for (const logs::Line& line : logs::lines_in(file_->text)) read_line(line);
    end_run();
    if (runs_.empty() && !errors_.has_errors()) {
      errors_.error(codes::kNothingInIt.code, {file_, 0, 1}, "",
                    "no table of perftest with lines in this file",
                    "\"#bytes #iterations BW peak[MB/sec] BW average[MB/sec] ...\", or the same of "
                    "a latency test, and lines below it");
    }
    if (errors_.has_errors()) return tl::unexpected(errors_);
    return std::move(runs_);
  }

 private:
  void read_line(const logs::Line& line) {
    const std::string_view text = line.text;
    if (auto test = test_in(text)) return begin_run(std::move(*test));
    if (auto header = logs::perftest::header_in(text)) return begin_table(*header, line);
    if (!header_) return read_settings(text);
    const logs::Words words = logs::split(text);
    if (logs::perftest::is_line(words)) {
      read_point(words, line);
    } else {
      read_memory(text);
    }
  }

  /// Client and server can both begin before either has printed a line.
  void begin_run(std::string test) {
    if (!run_.points.empty()) end_run();
    run_.test = std::move(test);
  }

  void begin_table(const Header& header, const logs::Line& line) {
    if (!run_.points.empty() && run_.test.empty()) end_run();
    header_ = header;
    if (header.rate_factor > 0.0 || header.time_factor > 0.0) return;
    header_.reset();
    errors_.error(codes::kBadValue.code, where(line), "",
                  "the table has units that perftest does not print",
                  "bandwidths in [MB/sec], [MiB/sec] or [Gb/sec], times in [usec]");
  }

  [[nodiscard]] input::Location where(const logs::Line& line) const {
    return {file_, line.offset, std::max<std::size_t>(1, line.text.size())};
  }

  void read_settings(std::string_view text) {
    if (text.size() > kLongestSetting) return;
    take(text, "Device ", run_.device);
    take(text, "Transport type", run_.transport);
    take(text, "Connection type", run_.connection);
    take(text, "Link type", run_.link);
    if (const auto pairs = logs::number_in(stated(text, "Number of qps"), kMost)) {
      run_.queue_pairs = pairs;
    }
    std::string_view mtu = stated(text, "Mtu");
    if (const auto bytes = logs::number_in(logs::cut_at(mtu, "["), kMost)) {
      run_.mtu = Bytes{static_cast<std::int64_t>(*bytes)};
    }
    if (stated(text, "Use ROCm memory") == "ON") run_.memory = "ROCm";
    read_memory(text);
  }

  static void take(std::string_view text, std::string_view name, std::string& value) {
    const std::string_view word = stated(text, name);
    if (!word.empty()) value = logs::printable_text(word);
  }

  /// The lines before a test with buffers in GPU memory: "initializing CUDA", "Picking GPU number
  /// 0", "device name = [NVIDIA A100]".
  void read_memory(std::string_view text) {
    const bool is_cuda = text.starts_with("initializing CUDA");
    const bool is_rocm = logs::contains(text, "HIP GPU") || text.starts_with("initializing HIP");
    if ((is_cuda || is_rocm) && !run_.points.empty()) end_run();
    if (is_cuda) run_.memory = "CUDA";
    if (is_rocm) run_.memory = "ROCm";
    constexpr std::string_view kName = "device name = [";
    const std::size_t at = text.find(kName);
    if (at == std::string_view::npos) return;
    const std::string_view name = text.substr(at + kName.size());
    run_.gpu = logs::printable_text(name.substr(0, name.find(']')));
  }

  void read_point(const logs::Words& words, const logs::Line& line) {
    const auto point = logs::perftest::point_in(words, *header_);
    const bool is_cut = line.unfinished && words.size() < header_->columns.size();
    if (!point || is_cut) {
      return warnings_.warning(codes::kOddValue.code, where(line), "",
                               "a truncated line of the table, or one without rate and time");
    }
    auto& points = run_.points;
    const auto latest = points.end() - std::min<std::ptrdiff_t>(std::ssize(points), kRepeated);
    const bool is_known = std::any_of(latest, points.end(),
                                      [&](const auto& other) { return is_same(*point, other); });
    if (!is_known && points.size() < kMostPoints) points.push_back(*point);
  }

  void end_run() {
    header_.reset();
    PerftestRun run = std::exchange(run_, {});
    if (run.points.empty()) return;
    if (!runs_.empty() && is_same(runs_.back(), run)) return;
    runs_.push_back(std::move(run));
  }

  static constexpr std::size_t kMostPoints = 65536;
  /// Number of recent points that are searched for the other side's line of the same transfer.
  static constexpr std::ptrdiff_t kRepeated = 64;
  static constexpr std::size_t kLongestSetting = 512;  ///< bytes

  input::SourcePtr file_;
  Diagnostics& warnings_;
  Diagnostics errors_;
  std::vector<PerftestRun> runs_;
  PerftestRun run_;  ///< the current run
  std::optional<Header> header_;
};

}  // namespace

bool is_perftest_log(std::string_view text) {
  for (std::size_t at = text.find("#bytes"); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (logs::perftest::header_in(text.substr(at, end - at))) return true;
    at = text.find("#bytes", end);
  }
  return false;
}

tl::expected<std::vector<PerftestRun>, Diagnostics> read_perftest_log(const input::SourcePtr& file,
                                                                      Diagnostics& warnings) {
  return PerftestReader(file, warnings).read();
}

}  // namespace vgsim::calibration
