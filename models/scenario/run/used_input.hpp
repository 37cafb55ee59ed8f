#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vgsim::scenario {

/// How well a number is known that a result rests on.
enum class Knowledge {
  kMeasured,    ///< read off a measurement of the very thing
  kFitted,      ///< chosen so that measurements of something else come out, or by a calibration
  kDocumented,  ///< from a datasheet or other documents, or computed from what is known
  kAssumed,     ///< or recalled without reading it again
};

/// "measured", "fitted", "documented", "assumed".
[[nodiscard]] const char* to_string(Knowledge knowledge);

/// What a word of "evidence" in the files of configs/ comes to. Unknown words are assumed.
[[nodiscard]] Knowledge knowledge_of(const std::string& evidence);

/// A number that a result rests on and that the scenario does not give.
struct UsedInput {
  std::string name;   ///< "nic_rate_factor", "a100-pcie-80gb: memory bandwidth"
  std::string value;  ///< with its unit
  std::string low;    ///< nine in ten lie between these; both empty where nothing is known
  std::string high;
  std::string source;  ///< in words
  Knowledge knowledge = Knowledge::kAssumed;
  bool calibrated = false;  ///< the scenario's calibration fitted it
};

/// How many of them are known how well.
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
