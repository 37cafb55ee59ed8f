#include "topology/host_input.hpp"

#include <fmt/format.h>

#include "topology/input/suggest.hpp"

namespace vgsim::topology {

void report_unknown(const input::Value& name, const std::string& what,
                    const std::vector<std::string>& known, input::Diagnostics& diagnostics) {
  const std::string text = input::as_string(name);
  report(diagnostics, name, fmt::format("unknown {} \"{}\"", what, text),
         fmt::format("one of: {}", fmt::join(known, ", ")), input::suggest(text, known));
}

}  // namespace vgsim::topology
