#include "topology/importers/smi/smi_vgpu_profile.hpp"

#include <algorithm>

#include "topology/importers/smi/smi_lines.hpp"

namespace vgsim::topology {

std::string vgpu_profile_of(std::string_view vgpu_name) {
  std::string profile = lower_case(printable(trimmed(vgpu_name)));
  std::replace(profile.begin(), profile.end(), ' ', '_');
  return profile;
}

}  // namespace vgsim::topology
