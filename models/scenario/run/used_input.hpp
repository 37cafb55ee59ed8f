#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vgsim::scenario {

/// How well an input of a result is known.
enum class Knowledge {
  kMeasured,    ///< from a measurement of this item
  kFitted,      ///< fitted to other measurements, or by a calibration
  kDocumented,  ///< from a datasheet or other document, or computed from known values
  kAssumed,     ///< assumed, or recalled without a checked source
};

/// "measured", "fitted", "documented", "assumed".
[[nodiscard]] const char* to_string(Knowledge knowledge);

/// The class of a word of "evidence" in the files of configs/; kAssumed for unknown words.
[[nodiscard]] Knowledge knowledge_of(const std::string& evidence);

/// An input of a result that the scenario does not set.
struct UsedInput {
  std::string name;   ///< "nic_rate_factor", "a100-pcie-80gb: memory bandwidth"
  std::string value;  ///< with its unit
  std::string low;    ///< limits of the 90 % interval; both empty if unknown
  std::string high;
  std::string source;  ///< description
  Knowledge knowledge = Knowledge::kAssumed;
  bool calibrated = false;  ///< the scenario's calibration fitted it
};

/// Number of inputs by class.
struct KnowledgeCount {
  std::size_t measured = 0;
  std::size_t fitted = 0;
  std::size_t documented = 0;
  std::size_t assumed = 0;
};

[[nodiscard]] KnowledgeCount count_knowledge(const std::vector<UsedInput>& inputs);

/// "9 measured, 30 fitted, 15 documented, 15 assumed".
[[nodiscard]] std::string to_string(const KnowledgeCount& count);

}  // namespace vgsim::scenario
