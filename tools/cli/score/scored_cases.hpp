#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cli/commands/commands.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {

// What scoring has in common for cases of training and of virtualization.

void tell_unknown_case(const std::string& id, const char* kind,
                       const std::vector<std::string>& known);

/// Keeps the one case that is asked for; says so where there is none of that name.
template <class Case>
bool keep_case(const std::string& id, const char* kind, std::vector<Case>& cases) {
  std::vector<std::string> known;
  for (const Case& one : cases) known.push_back(one.id);
  std::erase_if(cases, [&](const Case& one) { return one.id != id; });
  if (!cases.empty()) return true;
  tell_unknown_case(id, kind, known);
  return false;
}

/// Nothing where no bars are given, or where they cannot be read. `read`: from a file.
template <class Bars, class Read>
std::optional<Bars> bars_in(const ScoreOptions& score, const Read& read,
                            input::Diagnostics& diagnostics) {
  if (!score.bars) return std::nullopt;
  const auto file = input::load_source(*score.bars);
  auto bars = file ? read(*file) : tl::unexpected(file.error());
  if (bars) return std::move(*bars);
  diagnostics.append(bars.error());
  return std::nullopt;
}

/// An option that is about other cases than these, and whether it is given.
struct ForeignOption {
  const char* name;
  bool is_given;
};

/// Whether one is given; says so of the first.
[[nodiscard]] bool has_foreign(const std::vector<ForeignOption>& options, const char* theirs,
                               const char* these);

}  // namespace vgsim::cli
