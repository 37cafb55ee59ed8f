#pragma once

#include <string>

#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// What a rule says of a layout, in words. Throws std::out_of_range for a rule that is not listed.
[[nodiscard]] inline Warning warning_of(const std::string& rule, std::string text,
                                        const Library& library) {
  const vsphere::Rule& known = library.vsphere->rules.at(rule);
  return {known.id,       known.verdict,   std::move(text), known.remedy, known.sources.front().url,
          known.standing, known.not_priced};
}

}  // namespace vgsim::scenario
