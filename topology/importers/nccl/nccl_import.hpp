#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/open_point.hpp"
#include "topology/importers/file_notes.hpp"
#include "topology/importers/nccl/nccl_host.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {

/// What all steps of one import share: the file, what completes it, and what comes out besides
/// the host. Bus ids in `completion` are normalized.
struct NcclImport {
  const NcclSystem& system;
  const NcclCompletion& completion;
  const Catalog& catalog;
  DeviceSentences assumptions;
  input::Diagnostics diagnostics;
  std::vector<TakenPart> taken = {};

  [[nodiscard]] input::Location at(std::size_t offset) const { return {system.source, offset, 3}; }
  /// Where rates come from, in words.
  [[nodiscard]] std::string source() const { return system.origin + " " + system.source->path; }
};

}  // namespace vgsim::topology
