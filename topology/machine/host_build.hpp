#pragma once

#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/open_point.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/machine/build_host.hpp"
#include "topology/machine/device_sentences.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// State shared by all steps of building one host: inputs, the builder, and further results.
/// Bus ids in `completion` are normalized.
struct HostBuild {
  const Inventory& inventory;
  const HostCompletion& completion;
  const Catalog& catalog;
  const HostFile& file;
  DeviceSentences assumptions = {};
  input::Diagnostics diagnostics = {};
  std::vector<TakenPart> taken = {};

  /// The location for messages: `place`, else the beginning of the file.
  [[nodiscard]] input::Location at(const input::Location& place = {}) const {
    return place.source ? place : input::Location{file.source, 0, 3};
  }
  /// The source of rates, in words.
  [[nodiscard]] std::string source() const { return file.kind + " " + file.source->path; }
};

}  // namespace vgsim::topology::inventory
