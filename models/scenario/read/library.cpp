#include "models/scenario/read/library.hpp"

#include "models/calibration/read/parameter_files.hpp"

namespace vgsim::scenario {

tl::expected<Library, input::Diagnostics> read_library(const LibraryFiles& files) {
  input::Diagnostics diagnostics;
  Library library;
  if (auto catalog = topology::Catalog::read(files.catalog)) {
    library.catalog = std::make_shared<const topology::Catalog>(std::move(*catalog));
  } else {
    diagnostics.append(catalog.error());
  }
  if (auto parameters = calibration::read_parameters(files.parameters)) {
    library.parameters = std::move(*parameters);
  } else {
    diagnostics.append(parameters.error());
  }
  if (auto nccl = collectives::nccl::read_releases(files.nccl)) {
    library.nccl = std::move(*nccl);
  } else {
    diagnostics.append(nccl.error());
  }
  if (auto facts = vsphere::read_facts(files.vsphere)) {
    library.vsphere = std::make_shared<const vsphere::Facts>(std::move(*facts));
  } else {
    diagnostics.append(facts.error());
  }
  library.networks = std::make_shared<const training::Networks>(files.networks);
  library.calibrations = files.calibrations;
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return library;
}

}  // namespace vgsim::scenario
