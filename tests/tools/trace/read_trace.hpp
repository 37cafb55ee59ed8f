#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::test {

/// The tracks of a Perfetto trace as a viewer shows them. The decoder has the published field
/// numbers itself and fails the test if a trace breaks a rule: an event without time or
/// sequence, an end without a begin, slices that overlap without nesting, a track without a
/// descriptor.
struct ShownSlice {
  std::int64_t begin = 0;
  std::int64_t end = 0;  ///< the same for instants
  std::string name;
  std::string category;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::uint64_t> flows;          ///< arrows that touch it
  std::vector<std::uint64_t> ends_of_flows;  ///< those that end here
};

struct ShownTrack {
  std::string name;
  std::string description;
  std::uint64_t parent = 0;
  std::int64_t rank = 0;
  std::optional<std::int64_t> pid;  ///< of a process
  std::string process_name;
  bool is_counter = false;
  std::string unit;
  std::vector<ShownSlice> slices;  ///< in the order in which they end
  std::vector<std::pair<std::int64_t, double>> values;
};

/// By uuid.
[[nodiscard]] std::map<std::uint64_t, ShownTrack> read_trace(const std::string& bytes);

}  // namespace vgsim::test
