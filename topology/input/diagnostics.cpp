#include "topology/input/diagnostics.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vgsim::input {
namespace {

std::size_t index_of(Severity severity) { return severity == Severity::error ? 0 : 1; }

/// Sort key and identity of a diagnostic.
auto identity(const Diagnostic& item) {
  const SourcePtr& source = item.location.source;
  const std::string_view path = source ? std::string_view(source->path) : std::string_view();
  return std::tuple(source != nullptr, path, item.location.offset, item.severity,
                    std::string_view(item.code), std::string_view(item.message),
                    std::string_view(item.pointer));
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  const std::size_t index = index_of(diagnostic.severity);
  if (kept_[index] == kCapacity) {
    ++dropped_[index];
    return;
  }
  ++kept_[index];
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::error(std::string_view code, Location location, std::string pointer,
                        std::string message, std::string expected,
                        std::vector<std::string> suggestions) {
  add({Severity::error, std::string(code), std::move(location), std::move(pointer),
       std::move(message), std::move(expected), std::move(suggestions)});
}

void Diagnostics::warning(std::string_view code, Location location, std::string pointer,
                          std::string message, std::string expected,
                          std::vector<std::string> suggestions) {
  add({Severity::warning, std::string(code), std::move(location), std::move(pointer),
       std::move(message), std::move(expected), std::move(suggestions)});
}

void Diagnostics::append(const Diagnostics& other) {
  // By index and with a fixed count, so that a list can be appended to itself.
  const std::size_t count = other.items_.size();
  const auto other_dropped = other.dropped_;
  for (std::size_t i = 0; i < count; ++i) add(Diagnostic(other.items_[i]));
  for (std::size_t i = 0; i < dropped_.size(); ++i) dropped_[i] += other_dropped[i];
}

std::vector<Diagnostic> Diagnostics::items() const {
  std::vector<Diagnostic> result = items_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return identity(a) < identity(b);
  });
  const auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return identity(a) == identity(b);
  };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

std::size_t Diagnostics::dropped(Severity severity) const { return dropped_[index_of(severity)]; }

}  // namespace vgsim::input
