#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/scenario/run/result.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// The hosts with the load of their links as the report draws them; the kind of host with the first
/// host `focus` first.
[[nodiscard]] std::string machines_html(const scenario::LayoutResult& result,
                                        const std::string& focus);

/// The kinds of hosts that are not drawn: the first of each, and how many there are.
[[nodiscard]] nlohmann::ordered_json folded_json(const scenario::LayoutResult& result,
                                                 const std::string& focus);

/// All hosts that do the same as one, with the VMs on each. Null where there is no such host.
[[nodiscard]] nlohmann::ordered_json alike_json(const Studio& studio, const std::string& host);

/// What "esx01/gpu0", a host or a VM is: its part, where its figures come from, what its links
/// carry, and who has it. Null where there is no such thing.
[[nodiscard]] nlohmann::ordered_json thing_json(const Studio& studio, const std::string& name,
                                                const std::string& config_dir);

}  // namespace vgsim::studio
