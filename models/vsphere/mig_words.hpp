#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/profiles.hpp"

namespace vgsim::vsphere {

using Boards = std::vector<const Board*>;

/// The profile of one of these boards with this MIG name: "3g.40gb" as well as "MIG 1g.10gb+me".
/// nullptr if the text is not a MIG name, or if no profile or several have it.
[[nodiscard]] const Profile* mig_profile(std::string_view text, const Boards& boards);

/// Why a profile that is not known cannot be.
struct NoMig {
  std::string message;
  std::string instead;
};

/// Reports a text that requests MIG ("3g.40gb", or a profile's name of that form, such as
/// "nvidia_l40s-3-24c") of boards that have none: of the one that it names, else of all `boards`.
[[nodiscard]] std::optional<NoMig> without_mig(std::string_view text, const Boards& boards,
                                               const Profiles& profiles);

}  // namespace vgsim::vsphere
