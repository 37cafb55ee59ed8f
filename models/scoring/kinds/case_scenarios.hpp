#pragma once

#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/record.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scoring {

// Measured cases say the scenario of each point by merge patches (RFC 7396) one over the other. In
// any of them "use": {"machine", "hosts", "gpus"} stands for so many hosts n[1-N] of one of the
// case's machines, with so many GPUs each.

/// Hosts that "use" names, each as in "hosts" of a scenario.
using CaseMachines = std::vector<input::Named<input::Value>>;

/// One of these words, as it is.
[[nodiscard]] input::Decoder<std::string> case_word(std::vector<std::string> words);

/// "source": where the measurements were read.
[[nodiscard]] input::Decoder<input::Value> case_source();

/// "left_out": series of the source, or points of them, that are not in the file.
[[nodiscard]] input::Decoder<input::Value> case_left_out();

/// A patch over a scenario, or over one without anything.
[[nodiscard]] const input::Shape& case_patch();

/// Reports what no key of a host is called; the rest is told where a machine is used.
void check_machines(const CaseMachines& machines, const input::Origin& origin,
                    input::Diagnostics& diagnostics);

/// What all patches of a point come to, with its hosts and ranks in place of "use". Reports an
/// unknown machine.
[[nodiscard]] input::Value case_scenario(const input::Value& merged, const CaseMachines& machines,
                                         input::Diagnostics& diagnostics);

/// Reports what is no scenario, and one without hosts; `point`: where it stands. Whether it has the
/// form of a scenario.
bool check_case_scenario(const input::Value& scenario, const input::Origin& point,
                         input::Diagnostics& diagnostics);

}  // namespace vgsim::scoring
