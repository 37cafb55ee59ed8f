#include "topology/importers/smi/smi_gpu_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "topology/importers/smi/smi_lines.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kLastGpu = 4095;
constexpr std::int64_t kLastLink = 255;
constexpr double kFastestLink = 10'000;

/// A number between a word and a colon: 3 in "Link 3: 25 GB/s", and the text after it.
struct Numbered {
  std::int64_t number = 0;
  TextSpan rest;
};

std::optional<Numbered> numbered(TextSpan line, std::string_view word, std::int64_t last) {
  if (!line.text.starts_with(word)) return std::nullopt;
  const std::size_t colon = line.text.find(':');
  if (colon == line.text.npos) return std::nullopt;
  const auto number =
      whole_number(trimmed(line.text.substr(word.size(), colon - word.size())), 0, last);
  if (!number) return std::nullopt;
  const TextSpan rest{line.text.substr(colon + 1), line.offset + colon + 1};
  return Numbered{*number, trimmed(rest)};
}

/// 26.562 for "26.562 GB/s".
std::optional<double> speed_of(std::string_view text) {
  if (!text.ends_with("GB/s")) return std::nullopt;
  text = trimmed(text.substr(0, text.size() - 4));
  double speed = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, speed);
  const bool good = failure == std::errc() && rest == end && speed > 0 && speed <= kFastestLink;
  return good ? std::optional(speed) : std::nullopt;
}

/// The device of "Remote Device 00000000:C5:00.0: Link 46", of -R, or "00000000:C5:00.0", of -p.
/// In a VM that does not see the NVSwitches all digits are f.
std::string peer_of(std::string_view text) {
  constexpr std::string_view kRemote = "Remote Device ";
  if (text.starts_with(kRemote)) {
    text.remove_prefix(kRemote.size());
    text = text.substr(0, text.find(": Link"));
  }
  text = trimmed(text);
  const bool hidden = text.size() > 12 && text.find(':') != text.npos &&
                      text.substr(0, text.size() - 1).find_first_not_of("fF:.") == text.npos;
  return hidden ? inventory::kHiddenNvSwitch : normalized_bus_id(text);
}

/// -L and nvlink -s, -R and -p all print "GPU 0: name (UUID: ...)" with indented lines of links.
/// One pass collects the facts of each GPU by number, independent of the command; contradictory
/// links are a warning, and the first is kept.
class GpuLinesScanner {
 public:
  explicit GpuLinesScanner(FileNotes& notes) : notes_(notes) {}

  std::map<std::int64_t, SmiGpuLines> run(std::string_view text);

 private:
  bool read_gpu(TextSpan line);
  bool read_link(TextSpan line);
  bool read_sentence(std::string_view line);

  FileNotes& notes_;
  std::map<std::int64_t, SmiGpuLines> gpus_;
  std::int64_t number_ = 0;
  SmiGpuLines* current_ = nullptr;
};

bool GpuLinesScanner::read_gpu(TextSpan line) {
  const auto gpu = numbered(line, "GPU ", kLastGpu);
  if (!gpu) return false;
  constexpr std::string_view kUuid = "(UUID:";
  const std::string_view text = gpu->rest.text;
  const std::size_t uuid_at = text.rfind(kUuid);
  if (uuid_at == text.npos || !text.ends_with(")")) return false;
  const std::string name = printable(trimmed(text.substr(0, uuid_at)));
  const std::size_t start = uuid_at + kUuid.size();
  const std::string uuid = printable(trimmed(text.substr(start, text.size() - 1 - start)));
  number_ = gpu->number;
  const auto [known, is_new] = gpus_.try_emplace(number_);
  current_ = &known->second;
  if (is_new) {
    current_->name = name;
    current_->uuid = uuid;
    current_->offset = line.offset;
  } else if (current_->name != name || current_->uuid != uuid) {
    notes_.error(import_codes::kDoNotFit, notes_.at(line),
                 fmt::format("a second GPU {}: \"{}\" with UUID \"{}\"", number_, name, uuid),
                 "one host in one file");
  }
  return true;
}

bool GpuLinesScanner::read_link(TextSpan line) {
  const auto link = numbered(line, "Link ", kLastLink);
  if (!link) return false;
  bool agrees = true;
  const std::string peer = peer_of(link->rest.text);
  if (const auto speed = speed_of(link->rest.text)) {
    agrees = current_->speeds.emplace(link->number, *speed).first->second == *speed;
    agrees = agrees && current_->inactive.count(link->number) == 0;
  } else if (lower_case(link->rest.text) == "<inactive>") {
    agrees = current_->speeds.count(link->number) == 0;
    if (agrees) current_->inactive.insert(link->number);
  } else if (!peer.empty()) {
    agrees = current_->peers.emplace(link->number, peer).first->second == peer;
  }
  if (!agrees) {
    notes_.warn(import_codes::kContradiction, notes_.at(line),
                "An NVLink is listed twice with different facts", fmt::format("GPU{}", number_));
  }
  return true;
}

bool GpuLinesScanner::read_sentence(std::string_view line) {
  const std::string text = lower_case(line.substr(0, 256));
  const auto says = [&](const char* words) { return text.find(words) != text.npos; };
  if (says("does not have or support nvlink")) {
    current_->without_nvlink = true;
  } else if (says("all links are inactive")) {
    current_->all_inactive = true;
  } else if (says("not supported for devices in mig mode")) {
    current_->mig = true;
  } else if (text.starts_with("mig ") && says("(uuid:")) {
    current_->mig = current_->has_mig_instances = true;
  } else {
    return false;
  }
  return true;
}

std::map<std::int64_t, SmiGpuLines> GpuLinesScanner::run(std::string_view text) {
  SmiLines lines(text);
  while (const auto next = lines.next()) {
    const TextSpan line = trimmed(*next);
    if (line.text.empty() || read_gpu(line)) continue;
    if (current_ == nullptr || read_link(line) || read_sentence(line.text)) continue;
    current_ = nullptr;
  }
  return std::move(gpus_);
}

}  // namespace

std::map<std::int64_t, SmiGpuLines> scan_gpu_lines(std::string_view text, FileNotes& notes) {
  return GpuLinesScanner(notes).run(text);
}

}  // namespace vgsim::topology
