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

/// Everything that scenarios refer to by name. Constant while scenarios run; copies share all that
/// no calibration and no draw changes.
struct Library {
  std::shared_ptr<const topology::Catalog> catalog;
  calibration::Parameters parameters;
  collectives::nccl::Releases nccl;
  std::shared_ptr<const vsphere::Facts> vsphere;
  std::shared_ptr<const training::Networks> networks;    ///< by file name without .json
  std::map<std::string, input::SourcePtr> calibrations;  ///< the same
  std::vector<calibration::Correction> corrections;      ///< of the calibration that is used
};

/// The files that a library is read from, as whoever owns them hands them over.
struct LibraryFiles {
  std::vector<input::SourcePtr> catalog;
  std::vector<input::SourcePtr> parameters;
  input::SourcePtr nccl;  ///< releases of NCCL
  vsphere::FactFiles vsphere;
  std::map<std::string, input::SourcePtr> networks;
  std::map<std::string, input::SourcePtr> calibrations;
};

/// Reads all of them; errors of all files together.
[[nodiscard]] tl::expected<Library, input::Diagnostics> read_library(const LibraryFiles& files);

}  // namespace vgsim::scenario
