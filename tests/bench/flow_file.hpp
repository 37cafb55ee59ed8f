#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "tests/bench/flow_set.hpp"

namespace vgsim::bench {

/// Reads comma-separated flows under the heading
///
///     flow,src,dst,bytes,start_ns,inject_ns,rate_cap_Bps,links,finish_s
///
/// with links separated by spaces and the cap and the finish left empty where there is none, and
/// capacities of links under `link,bytes_per_s`, numbered from 0 up. Without a file of links all
/// that a flow crosses have kLinkBytesPerSecond. Throws std::runtime_error with file and line.
[[nodiscard]] FlowSet read_flow_set(const std::string& flows_file,
                                    const std::optional<std::string>& links_file);

void write_flows(std::ostream& out, const FlowSet& set);

}  // namespace vgsim::bench
