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

/// Places of a schema, as pointers with "*" for any name or element:
/// "/hosts/*/nics/*/near".
class SchemaPlaces {
 public:
  explicit SchemaPlaces(const Json& schema);

  /// The keys that it has.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Those of them that a scenario uses.
  [[nodiscard]] std::set<std::string> used(const Json& scenario) const;

 private:
  std::set<std::string> known_;
};

}  // namespace vgsim::generated
