#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/scenario/run/result.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// Hosts and link loads as the report draws them; the kind of host `focus` comes first.
[[nodiscard]] std::string machines_html(const scenario::LayoutResult& result,
                                        const std::string& focus);

/// Kinds of hosts that are not drawn: the first host of each, and their number.
[[nodiscard]] nlohmann::ordered_json folded_json(const scenario::LayoutResult& result,
                                                 const std::string& focus);

/// All hosts represented by one, with the VMs on each. Null for an unknown host.
[[nodiscard]] nlohmann::ordered_json alike_json(const Studio& studio, const std::string& host);

/// A device ("esx01/gpu0"), host or VM: its part, the sources of its figures, the loads of its
/// links, and its VM. Null if unknown.
[[nodiscard]] nlohmann::ordered_json thing_json(const Studio& studio, const std::string& name,
                                                const std::string& config_dir);

}  // namespace vgsim::studio
