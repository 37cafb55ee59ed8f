#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "models/scenario/read/library.hpp"

namespace vgsim::generated {

using Json = nlohmann::ordered_json;

/// A server of the catalogue as far as a scenario has to fit it.
struct ServerWords {
  std::string name;
  std::int64_t slots = 0;           ///< for GPUs
  std::vector<std::string> gpus;    ///< that fit: those of its board, or PCIe cards
  std::vector<std::string> places;  ///< slots for NICs
  std::vector<std::pair<std::int64_t, std::int64_t>> bridges;
};

/// What scenarios can be made of: the catalogue, the networks, vSphere's facts and the schema.
struct Words {
  std::vector<ServerWords> servers;
  std::vector<std::string> gpus;
  std::vector<std::string> cards;  ///< of them those for PCIe slots
  std::vector<std::string> nics;
  std::vector<std::string> usual_nics;
  std::vector<std::string> cpus;
  std::vector<std::string> switches;
  std::vector<std::string> datasets;
  std::vector<std::string> networks;
  std::vector<std::string> usual_networks;                   ///< that fit on one GPU
  std::set<std::string> transformers;                        ///< of them those by hyper-parameters
  std::set<std::string> texts;                               ///< and those that read tokens
  std::vector<std::string> versions;                         ///< of vSphere
  std::vector<std::string> releases;                         ///< of NCCL
  std::map<std::string, std::vector<std::string>> profiles;  ///< by GPU
  Json schema;                                               ///< of a scenario
};

[[nodiscard]] Words words_of(const scenario::Library& library, const std::string& configs);

/// The keys that the schema of a scenario has, as pointers with "*" for any name or element:
/// "/hosts/*/nics/*/near".
[[nodiscard]] std::vector<std::string> keys_of_schema(const Json& schema);

/// The keys of the schema that a scenario uses, in the same words.
[[nodiscard]] std::vector<std::string> keys_used(const Json& schema, const Json& scenario);

}  // namespace vgsim::generated
