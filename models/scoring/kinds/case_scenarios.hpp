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

// Measured cases define the scenario of each point by successive merge patches (RFC 7396). In each
// of them "use": {"machine", "hosts", "gpus"} adds hosts n[1-N] of one of the case's machines, with
// that number of GPUs each.

/// The hosts that "use" defines, in the form of a scenario's "hosts".
using CaseMachines = std::vector<input::Named<input::Value>>;

/// One of these words, unchanged.
[[nodiscard]] input::Decoder<std::string> case_word(std::vector<std::string> words);

/// "source": the document with the measurements.
[[nodiscard]] input::Decoder<input::Value> case_source();

/// "left_out": series or points of the source that are not in the file.
[[nodiscard]] input::Decoder<input::Value> case_left_out();

/// A patch on a scenario, or on an empty one.
[[nodiscard]] const input::Shape& case_patch();

/// Reports keys that a host does not have; other errors are reported where the machine is used.
void check_machines(const CaseMachines& machines, const input::Origin& origin,
                    input::Diagnostics& diagnostics);

/// The result of all patches of a point, with hosts and ranks in place of "use". Reports an unknown
/// machine.
[[nodiscard]] input::Value case_scenario(const input::Value& merged, const CaseMachines& machines,
                                         input::Diagnostics& diagnostics);

/// Reports invalid scenarios and scenarios without hosts; `point`: location of the point. Returns
/// whether the scenario has the right form.
bool check_case_scenario(const input::Value& scenario, const input::Origin& point,
                         input::Diagnostics& diagnostics);

}  // namespace vgsim::scoring
