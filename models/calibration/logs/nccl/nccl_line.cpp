#include "models/calibration/logs/nccl/nccl_line.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs {
namespace {

constexpr std::string_view kMark = " NCCL ";

/// The words that follow the mark in a message. Other words follow in sentences about NCCL.
constexpr std::array<std::string_view, 5> kLevels = {"INFO ", "WARN ", "TRACE ", "CALL ", "ABORT "};

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The text up to the last colon, or nothing. `rest` receives the text after it.
std::string_view before_colon(std::string_view text, std::string_view& rest) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  rest = text.substr(colon + 1);
  return text.substr(0, colon);
}

/// The level after the mark at `at`. Empty if it is not the mark of a message.
std::string_view level_at(std::string_view line, std::size_t at) {
  const std::string_view rest = line.substr(at + kMark.size());
  const auto* level =
      std::ranges::find_if(kLevels, [&](std::string_view word) { return rest.starts_with(word); });
  return level == kLevels.end() ? std::string_view() : *level;
}

/// The message with the mark at `at`.
NcclLine line_at(std::string_view line, std::size_t at) {
  const std::string_view head = line.substr(0, at);
  const std::string_view level = level_at(line, at);
  NcclLine found;
  const std::string_view rest = line.substr(at + kMark.size() + level.size());
  found.text = trimmed(rest);
  found.indent = static_cast<std::size_t>(found.text.data() - rest.data());
  found.is_warning = level == "WARN ";
  const std::size_t bracket = head.rfind('[');
  std::size_t end = bracket == std::string_view::npos ? head.size() : bracket;
  while (end > 0 && is_blank(head[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && !is_blank(head[begin - 1])) --begin;
  found.before = head.substr(0, begin);
  found.thread = head.substr(begin, end - begin);
  return found;
}

}  // namespace

std::optional<NcclLine> first_nccl_line_in(std::string_view line) {
  for (std::size_t at = line.find(kMark); at != std::string_view::npos;
       at = line.find(kMark, at + 1)) {
    if (!level_at(line, at).empty()) return line_at(line, at);
  }
  return std::nullopt;
}

/// "host:pid:tid [dev] NCCL INFO text". Of several messages in a line the last one has a complete
/// end; the first one follows other output of a test.
std::optional<NcclLine> nccl_line_in(std::string_view line) {
  for (std::size_t at = line.rfind(kMark); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : line.rfind(kMark, at - 1)) {
    if (!level_at(line, at).empty()) return line_at(line, at);
  }
  return std::nullopt;
}

std::string_view host_in(std::string_view thread) {
  std::string_view tid;
  std::string_view pid;
  std::string_view host = before_colon(before_colon(thread, tid), pid);
  if (!is_digits(tid) || !is_digits(pid)) return {};
  // Launchers prepend "[1,0]<stdout>:" to the name.
  const std::size_t end = host.find_last_of(":>]|");
  if (end != std::string_view::npos) host.remove_prefix(end + 1);
  return host;
}

}  // namespace vgsim::calibration::logs
