#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"

namespace vgsim::scenario {

/// Everything needed to reproduce a result; stored with it.
struct Manifest {
  std::string version;                       ///< of vgsim
  std::string scenario_file;                 ///< as given by the user
  std::vector<std::string> settings;         ///< "--set" as written, already in the document
  std::optional<std::uint64_t> seed;         ///< overrides that of the scenario
  std::optional<std::uint64_t> draws;        ///< of the uncertain parameters
  Document document;                         ///< the scenario
  std::map<std::string, std::string> files;  ///< contents of the files it refers to, by path
};

/// The document with members in file order.
[[nodiscard]] nlohmann::ordered_json to_ordered_json(const Document& document);

[[nodiscard]] nlohmann::ordered_json to_json(const Manifest& manifest);

}  // namespace vgsim::scenario
