#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace vgsim::generated {

/// What work may take in a child process.
struct ChildLimits {
  double cpu_seconds = 10;                        ///< of one item, of all its threads
  std::uint64_t memory = std::uint64_t{3} << 30;  ///< of address space; none under sanitizers
};

/// What came of one item: its result, or how the process that worked on it ended.
struct ItemResult {
  std::size_t item = 0;
  nlohmann::ordered_json value;  ///< null where the process died
  std::string death;             ///< "SIGSEGV", "more than 10 s of a processor"; empty: it lived
};

/// Works on items 0 to count - 1 in `jobs` child processes at a time. If a process dies, the cause
/// becomes the result of its item, and the others continue. Results come in any order. Call it
/// while the program has one thread. Throws std::system_error if no process can be created.
void for_each_in_children(std::size_t count, std::size_t jobs, const ChildLimits& limits,
                          const std::function<nlohmann::ordered_json(std::size_t)>& work,
                          const std::function<void(const ItemResult&)>& done);

/// One item.
[[nodiscard]] ItemResult in_a_child(const ChildLimits& limits,
                                    const std::function<nlohmann::ordered_json()>& work);

}  // namespace vgsim::generated
