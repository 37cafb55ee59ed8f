#include "models/training/networks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "topology/host_input.hpp"
#include "topology/input/meant_names.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::training {

namespace {

std::shared_ptr<const NetworkModel> read_file(const input::Value& where, const std::string& path,
                                              const input::FileLoader& load,
                                              input::Diagnostics& diagnostics) {
  const auto file = load(path);
  if (!file) {
    diagnostics.append(file.error());
    topology::report(diagnostics, where, fmt::format("the network \"{}\" cannot be read", path));
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

std::shared_ptr<const NetworkModel> Networks::find(const input::Value& network,
                                                   const input::FileLoader& load_file,
                                                   input::Diagnostics& diagnostics) const {
  if (!network.is_string()) {
    input::Diagnostics found;
    auto described = std::make_shared<NetworkModel>(read_network(network, found));
    const bool is_good = !found.has_errors();
    diagnostics.append(found);
    return is_good ? described : nullptr;
  }
  const std::string name = input::as_string(network);
  if (files_.contains(name)) return load(name, diagnostics);
  if (name.ends_with(".json")) return read_file(network, name, load_file, diagnostics);
  const auto meant = input::meant_names(name, names());
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
