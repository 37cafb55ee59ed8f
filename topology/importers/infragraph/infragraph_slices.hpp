#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vgsim::topology::infragraph {

/// Python's slice notation, in brackets behind a name: [3], [0:4], [::2], [-1]; nothing at all is
/// everything.
struct Slice {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> stop;
  std::int64_t step = 1;  ///< not 0
  bool is_index = false;  ///< [3]: start alone
};

/// Of the text with its brackets, or of an empty one.
[[nodiscard]] std::optional<Slice> parse_slice(std::string_view text);

/// How many indexes below `count` a slice names, as Python takes it.
[[nodiscard]] std::int64_t size_of(const Slice& slice, std::int64_t count);
/// These indexes, in the slice's order.
[[nodiscard]] std::vector<std::int64_t> indexes_of(const Slice& slice, std::int64_t count);
/// Whether it names such as do not exist.
[[nodiscard]] bool reaches_beyond(const Slice& slice, std::int64_t count);

/// The number of components that a slice needs in order not to reach beyond, as far as it says.
[[nodiscard]] std::int64_t count_for(const Slice& slice);

}  // namespace vgsim::topology::infragraph
