#include "models/vsphere/facts/facts.hpp"

#include <utility>

namespace vgsim::vsphere {

tl::expected<Facts, input::Diagnostics> read_facts(const FactFiles& files) {
  input::Diagnostics diagnostics;
  Facts facts;
  const auto take = [&](auto read, auto& into) {
    if (read) {
      into = std::move(*read);
    } else {
      diagnostics.append(read.error());
    }
  };
  take(Versions::read(files.versions), facts.versions);
  take(Profiles::read(files.profiles), facts.profiles);
  take(Partitions::read(files.partitions), facts.partitions);
  take(read_rules(files.rules), facts.rules);
  take(Settings::read(files.settings), facts.settings);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return facts;
}

}  // namespace vgsim::vsphere
