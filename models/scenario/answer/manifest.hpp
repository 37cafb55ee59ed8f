#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/document.hpp"

namespace vgsim::scenario {

/// What it takes to get a result once more: it is kept with the result.
struct Manifest {
  std::string version;                       ///< of vgsim
  std::string scenario_file;                 ///< as the user named it
  std::vector<std::string> settings;         ///< "--set" as written, already in the document
  std::optional<std::uint64_t> seed;         ///< instead of the scenario's own
  std::optional<std::uint64_t> draws;        ///< of the uncertain parameters
  Document document;                         ///< the scenario
  std::map<std::string, std::string> files;  ///< that it names, by path, with their text
};

/// The document, or a value of one, with members in file order.
[[nodiscard]] nlohmann::ordered_json to_ordered_json(const Document& document);

[[nodiscard]] nlohmann::ordered_json to_json(const Manifest& manifest);

}  // namespace vgsim::scenario
