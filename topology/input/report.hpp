#pragma once

#include <string>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::input {

class Value;

/// Adds an error of a scenario at its origin.
void report(Diagnostics& diagnostics, const Origin& at, std::string message,
            std::string expected = {}, std::vector<std::string> suggestions = {});
void report(Diagnostics& diagnostics, const Value& at, std::string message,
            std::string expected = {}, std::vector<std::string> suggestions = {});
template <class T>
void report(Diagnostics& diagnostics, const At<T>& at, std::string message,
            std::string expected = {}, std::vector<std::string> suggestions = {}) {
  report(diagnostics, at.origin, std::move(message), std::move(expected), std::move(suggestions));
}

}  // namespace vgsim::input
