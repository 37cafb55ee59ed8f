#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/calibration.hpp"
#include "models/calibration/parameters.hpp"
#include "models/collectives/nccl/read/releases.hpp"
#include "models/training/read/networks.hpp"
#include "models/vsphere/facts/facts.hpp"
#include "topology/catalog/catalog.hpp"

namespace vgsim::scenario {

/// All data that scenarios refer to by name. Constant during runs; copies share the parts not
/// changed by calibrations and draws.
struct Library {
  std::shared_ptr<const topology::Catalog> catalog;
  calibration::Parameters parameters;
  collectives::nccl::Releases nccl;
  std::shared_ptr<const vsphere::Facts> vsphere;
  std::shared_ptr<const training::Networks> networks;    ///< by file name without .json
  std::map<std::string, input::SourcePtr> calibrations;  ///< by file name without .json
  std::vector<calibration::Correction> corrections;      ///< of the active calibration
};

/// The contents of a library's files.
struct LibraryFiles {
  std::vector<input::SourcePtr> catalog;
  std::vector<input::SourcePtr> parameters;
  input::SourcePtr nccl;  ///< releases of NCCL
  vsphere::FactFiles vsphere;
  std::map<std::string, input::SourcePtr> networks;
  std::map<std::string, input::SourcePtr> calibrations;
};

/// Reads all files, and reports the errors of all of them.
[[nodiscard]] tl::expected<Library, input::Diagnostics> read_library(const LibraryFiles& files);

}  // namespace vgsim::scenario
