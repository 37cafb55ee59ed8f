#pragma once

#include <string>

#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// A warning by a rule. Throws std::out_of_range for an unknown rule.
[[nodiscard]] inline Warning warning_of(const std::string& rule, std::string text,
                                        const Library& library) {
  const vsphere::Rule& known = library.vsphere->rules.at(rule);
  const vsphere::Citation& source = known.sources.front();
  return {known.id,
          known.verdict,
          std::move(text),
          known.remedy,
          source.url.empty() ? source.title : source.url,
          known.evidence,
          known.not_priced};
}

}  // namespace vgsim::scenario
