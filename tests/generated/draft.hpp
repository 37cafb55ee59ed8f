#pragma once

#include <string>
#include <vector>

#include "tests/generated/dice.hpp"
#include "tests/generated/words.hpp"

namespace vgsim::generated {

/// Hosts of one kind that a scenario has been given.
struct DraftHosts {
  std::string key;                 ///< "esx[1-4]"
  std::vector<std::string> names;  ///< "esx1" to "esx4"
  std::string gpu;
  std::int64_t gpus = 0;  ///< of each host
  std::vector<std::string> nics;
};

/// A scenario in the making.
struct Draft {
  const Words& words;
  Dice dice;
  Json scenario = Json::object();
  std::vector<DraftHosts> hosts;
  std::vector<std::string> vms;  ///< names of those that take part in the job
  bool training = true;
  bool transformer = false;  ///< what it trains is one
  bool text = false;         ///< it reads tokens
};

void add_hosts(Draft& draft);
void add_fabric(Draft& draft);
void add_vms(Draft& draft);
void add_job(Draft& draft);
/// Neighbours, failures, stops, prices, ...
void add_surroundings(Draft& draft);
/// Layouts over what is there.
void add_layouts(Draft& draft);
/// Some keys that the schema has, with values that it allows, wherever there is a place for them.
void add_keys_of_schema(Draft& draft, std::int64_t how_many);
/// Any value that the schema allows at a place, with at most `depth` levels.
[[nodiscard]] Json any_value(Draft& draft, const std::string& place, int depth);

/// A member of that name in one of `one_in` scenarios.
template <class Make>
void maybe(Draft& draft, Json& object, double share, const char* name, const Make& make) {
  if (draft.dice.chance(share)) object[name] = make();
}

}  // namespace vgsim::generated
