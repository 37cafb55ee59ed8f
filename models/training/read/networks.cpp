#include "models/training/read/networks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "models/training/read/network_file.hpp"
#include "topology/input/matching_names.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::training {

namespace {

std::shared_ptr<const NetworkModel> read_file(const input::At<std::string>& path,
                                              const input::FileLoader& load,
                                              input::Diagnostics& diagnostics) {
  const auto file = load(*path);
  if (!file) {
    diagnostics.append(file.error());
    topology::report(diagnostics, path, fmt::format("the network \"{}\" cannot be read", *path));
    return nullptr;
  }
  auto network = read_network(*file);
  if (!network) {
    diagnostics.append(network.error());
    return nullptr;
  }
  return std::make_shared<const NetworkModel>(std::move(*network));
}

}  // namespace

std::shared_ptr<const NetworkModel> Networks::load(const std::string& name,
                                                   input::Diagnostics& diagnostics) const {
  const std::lock_guard guard(*lock_);
  const auto known = read_.find(name);
  if (known != read_.end()) return known->second;
  auto network = read_network(files_.at(name));
  if (!network) {
    diagnostics.append(network.error());
    return nullptr;
  }
  return read_[name] = std::make_shared<const NetworkModel>(std::move(*network));
}

std::shared_ptr<const NetworkModel> Networks::find(const input::At<std::string>& network,
                                                   const input::FileLoader& load_file,
                                                   input::Diagnostics& diagnostics) const {
  const std::string& name = *network;
  if (files_.contains(name)) return load(name, diagnostics);
  if (name.ends_with(".json")) return read_file(network, load_file, diagnostics);
  const auto meant = input::matching_names(name, names());
  if (meant.size() == 1) return load(meant.front(), diagnostics);
  if (meant.size() > 1) {
    topology::report(diagnostics, network, fmt::format("\"{}\" may mean several networks", name),
                     fmt::format("one of: {}", fmt::join(meant, ", ")));
    return nullptr;
  }
  topology::report(diagnostics, network, fmt::format("unknown network \"{}\"", name),
                   fmt::format("a file NAME.json, or one of: {}", fmt::join(names(), ", ")),
                   input::suggest(name, names()));
  return nullptr;
}

const NetworkModel& Networks::at(const std::string& name) const {
  if (!files_.contains(name)) throw std::out_of_range("no network " + name);
  input::Diagnostics found;
  const auto network = load(name, found);
  if (!network) throw std::runtime_error(input::render(found));
  return *network;
}

std::vector<std::string> Networks::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

}  // namespace vgsim::training
