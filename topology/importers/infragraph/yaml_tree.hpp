#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::topology {

/// A value of a YAML or JSON text, with its place there.
struct YamlNode {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::uint32_t offset = 0;     ///< of its first byte, or its quote
  std::string text;             ///< of a scalar, unquoted; numbers and booleans as they are written
  std::vector<YamlNode> items;  ///< of a list; of a map, keys and values in turn

  /// The value of a key of a map, the last if there are several; nullptr if there is none.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
};

/// Reads the first document of a text, which may be JSON, as YAML 1.2 without tags: aliases are
/// replaced by what they stand for, merge keys are not. `has_more` tells whether another document
/// follows.
///
/// Errors (import_codes.hpp): not YAML, an alias of what contains it, NUL or UTF-16, a map whose
/// keys are not scalars; over 16 MiB, 32 levels or, aliases replaced, 2'000'000 values; an empty
/// document.
[[nodiscard]] tl::expected<YamlNode, input::Diagnostics> read_yaml(const input::SourcePtr& source,
                                                                   bool* has_more = nullptr);

}  // namespace vgsim::topology
