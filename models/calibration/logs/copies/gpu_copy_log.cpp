#include "models/calibration/logs/copies/gpu_copy_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "models/calibration/logs/copies/bandwidth_matrix.hpp"
#include "models/calibration/logs/copies/device_list.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/log_problems.hpp"

namespace vgsim::calibration {
namespace {

using input::Diagnostics;

constexpr const char* kGpuCopy = "gpu_copy";
/// Defaults of --size in superbench/benchmarks/micro_benchmarks/gpu_copy_bw_performance.py.
constexpr Bytes kDefaultSize{std::int64_t{256} << 20};
constexpr Bytes kEarlySize{std::int64_t{64} << 20};
constexpr std::int64_t kMostSize = std::int64_t{1} << 40;
constexpr std::size_t kMostNodes = 1024;

/// The parts of "gpu0_and_gpu1_write_by_sm_under_numa0".
struct Name {
  std::string_view from;
  std::string_view to;
  bool both_ways = false;
  bool by_kernel = false;
  bool is_early = false;  ///< "_uni" or "_bi" at the end
  std::optional<std::size_t> numa_node;
};

bool ends_off(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

bool is_of_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

bool is_end(std::string_view text) {
  return text == "cpu" || text == "gpu_all" ||
         (text.starts_with("gpu") &&
          logs::number_in(text.substr(3), logs::kMaxGpus - 1).has_value());
}

std::optional<Name> name_in(std::string_view text) {
  Name name;
  name.both_ways = ends_off(text, "_bi");
  name.is_early = ends_off(text, "_uni") || name.both_ways;
  std::string_view pair = logs::cut_at(text, "_by_");
  const std::string_view worker = logs::cut_at(text, "_under_numa");
  name.by_kernel = worker == "sm";
  if (!name.by_kernel && worker != "dma") return std::nullopt;
  if (!text.empty()) {
    name.numa_node = logs::number_in(text, kMostNodes);
    if (!name.numa_node) return std::nullopt;
  }
  if (!ends_off(pair, "_write")) ends_off(pair, "_read");
  const bool is_sum = logs::contains(pair, "_and_");
  name.both_ways = name.both_ways || is_sum;
  name.from = logs::cut_at(pair, is_sum ? "_and_" : "_to_");
  name.to = pair;
  const bool fits =
      is_end(name.from) && is_end(name.to) && (name.from != "cpu" || name.to != "cpu");
  return fits ? std::optional(name) : std::nullopt;
}

/// Every line is a name and a rate. The name contains the ends, direction, engine or kernel, and
/// NUMA node. Old releases append _uni or _bi and copy other sizes. Ambiguous lines (all GPUs at
/// once, copies inside a GPU) are counted and skipped.
class Reader {
 public:
  explicit Reader(Measurement& measurement) : measurement_(measurement) {}

  void read(std::string_view text) {
    for (const logs::Line& line : logs::lines_in(text)) {
      const logs::Words words = logs::split(line.text);
      read_command(words);
      if (words.size() != 2) continue;
      if (const auto name = name_in(words[0])) read_rate(*name, words, line);
    }
    measurement_.machine.gpus.resize(gpus_);
    leave_out(all_at_once_, "lines of gpu_all",
              "copies between all GPUs at the same time: the log does not state which of them a "
              "rate counts");
    leave_out(local_, "lines of copies within a GPU",
              "releases differ in whether reading and writing both count");
  }

 private:
  void read_command(const logs::Words& words) {
    const auto command = logs::command_in(words, kGpuCopy);
    for (std::size_t w = 0; w + 1 < command.size(); ++w) {
      if (command[w] != "--size") continue;
      const auto size = logs::parse<std::int64_t>(command[w + 1]);
      if (size && *size > 0 && *size <= kMostSize) size_ = Bytes{*size};
    }
  }

  void leave_out(std::size_t lines, std::string_view what, std::string_view why) {
    if (lines == 0) return;
    measurement_.left_out.push_back({fmt::format("{} {}", lines, what), std::string(why)});
  }

  void read_rate(const Name& name, const logs::Words& words, const logs::Line& line) {
    if (name.from == "gpu_all" || name.to == "gpu_all") {
      ++all_at_once_;
      return;
    }
    if (name.from == name.to && !name.is_early) {
      ++local_;
      return;
    }
    const bool is_cut = line.unfinished && !logs::contains(words[1], ".");
    const logs::Cell rate = logs::rate_in(words[1], 1e9, "rate");
    if (is_cut || !rate.value) {
      measurement_.left_out.push_back(
          {fmt::format("{} (line {})", logs::printable_text(words[0]), line.number),
           is_cut ? "the line is truncated" : rate.why});
      return;
    }
    add(name, *rate.value);
  }

  void add(const Name& name, double rate) {
    Copies copies;
    copies.size = size_.value_or(name.is_early ? kEarlySize : kDefaultSize);
    copies.by_kernel = name.by_kernel;
    const Place from = place_of(name.from, name);
    const Place to = place_of(name.to, name);
    copies.routes = {{from, to}};
    if (name.both_ways) copies.routes.push_back({to, from});
    const double seconds =
        static_cast<double>(copies.size.count()) * static_cast<double>(copies.routes.size()) / rate;
    logs::add_copies(std::move(copies), seconds, measurement_);
  }

  Place place_of(std::string_view end, const Name& name) {
    if (end == "cpu") return {Place::Kind::kPinned, 0, name.numa_node};
    const std::size_t gpu = *logs::number_in(end.substr(3), logs::kMaxGpus - 1);
    gpus_ = std::max(gpus_, gpu + 1);
    return {Place::Kind::kGpu, gpu, {}};
  }

  Measurement& measurement_;
  std::optional<Bytes> size_;  ///< from the command line
  std::size_t gpus_ = 0;
  std::size_t all_at_once_ = 0;
  std::size_t local_ = 0;
};

}  // namespace

bool is_gpu_copy_log(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  for (std::size_t at = text.find("_by_"); at != std::string_view::npos;
       at = text.find("_by_", at + 1)) {
    const std::string_view worker = text.substr(at + 4);
    if (!worker.starts_with("sm") && !worker.starts_with("dma")) continue;
    std::size_t begin = at;
    while (begin > 0 && at - begin < kLongest && is_of_name(text[begin - 1])) --begin;
    const std::string_view word = text.substr(begin, kLongest + at - begin);
    if (name_in(word.substr(0, word.find_first_of(" \t\r\n")))) return true;
  }
  return false;
}

tl::expected<Measurement, Diagnostics> read_gpu_copy_log(const input::SourcePtr& file,
                                                         Diagnostics& /*warnings*/) {
  Measurement measurement;
  measurement.tool = kGpuCopy;
  Reader(measurement).read(file->text);
  if (!measurement.results.empty()) return measurement;
  Diagnostics errors;
  logs::tell_nothing_read(errors, file, kGpuCopy, measurement.left_out,
                          "lines such as \"cpu_to_gpu0_by_dma_under_numa0 26.2\"");
  return tl::unexpected(errors);
}

}  // namespace vgsim::calibration
