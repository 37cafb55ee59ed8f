#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/run/result.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::text {

/// Operations of the running VMs of each layout that is not refused, with their conditions: "vgpu:
/// vMotion: yes, stuns it for up to 52 min over 10 Gbit/s; DRS: no, above its stun limit of 100 s
/// ...". Layouts with the same answer share a sentence; bare metal has none.
[[nodiscard]] std::vector<std::string> operation_sentences(const scenario::ScenarioResult& result);

/// Titles of the operations that its VMs do not have.
[[nodiscard]] std::vector<std::string> unavailable_operations(const scenario::LayoutResult& layout);

/// Adds the sentences if they fit into `most_lines` together; else a short form: the operations
/// that each layout does not have.
void add_operations(const scenario::ScenarioResult& result, std::size_t most_lines,
                    ScreenLines& lines);

}  // namespace vgsim::text
