#include "tools/cli/score/scored_cases.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "tools/cli/output.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {

void tell_unknown_case(const std::string& id, const char* kind,
                       const std::vector<std::string>& known) {
  const auto near = input::suggest(id, known);
  write_message(fmt::format(
      "vgsim: no {} case is called \"{}\"{}\n", kind, id,
      near.empty() ? std::string() : fmt::format("; the nearest: {}", fmt::join(near, ", "))));
}

bool has_foreign(const std::vector<ForeignOption>& options, const char* theirs, const char* these) {
  for (const ForeignOption& option : options) {
    if (!option.is_given) continue;
    write_message(
        fmt::format("vgsim: {} belongs to cases of {}, not of {}\n", option.name, theirs, these));
    return true;
  }
  return false;
}

}  // namespace vgsim::cli
