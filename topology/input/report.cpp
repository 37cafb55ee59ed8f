#include "topology/input/report.hpp"

#include <utility>

#include "topology/input/value.hpp"

namespace vgsim::input {

void report(Diagnostics& diagnostics, const Origin& at, std::string message, std::string expected,
            std::vector<std::string> suggestions) {
  diagnostics.error("E411", at.location, to_pointer(at.path), std::move(message),
                    std::move(expected), std::move(suggestions));
}

void report(Diagnostics& diagnostics, const Value& at, std::string message, std::string expected,
            std::vector<std::string> suggestions) {
  report(diagnostics, at.origin(), std::move(message), std::move(expected), std::move(suggestions));
}

}  // namespace vgsim::input
