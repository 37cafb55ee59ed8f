#pragma once

#include <tl/expected.hpp>

#include "models/vsphere/facts/partitions.hpp"
#include "models/vsphere/facts/profiles.hpp"
#include "models/vsphere/facts/rules.hpp"
#include "models/vsphere/facts/settings.hpp"
#include "models/vsphere/facts/versions.hpp"

namespace vgsim::vsphere {

/// Facts about vSphere and vGPU: all of `configs/vsphere/`.
struct Facts {
  Versions versions;
  Profiles profiles;
  Partitions partitions;
  Rules rules;
  Settings settings;
};

/// The files that it is read from.
struct FactFiles {
  input::SourcePtr versions;
  input::SourcePtr profiles;
  input::SourcePtr partitions;
  input::SourcePtr rules;
  input::SourcePtr settings;
};

/// Reads all of them; errors of all files together.
[[nodiscard]] tl::expected<Facts, input::Diagnostics> read_facts(const FactFiles& files);

}  // namespace vgsim::vsphere
