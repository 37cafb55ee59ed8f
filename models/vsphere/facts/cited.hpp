#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "topology/input/shapes/shape.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::vsphere {

/// Where a fact of `configs/vsphere/` comes from, and how well it is known.
struct Citation {
  std::string title;
  std::string date;  ///< of the document; may be empty
  std::string url;   ///< may be empty
  /// "read" (the whole page or file), "measured", "excerpt", "inferred", "recalled" or "assumed".
  std::string evidence;

  bool operator==(const Citation&) const = default;
};

/// "Frank Denneman, GPUs and vSphere, 2023-05-10 (read)".
[[nodiscard]] std::string to_string(const Citation& source);

/// 0 for the best kind of evidence, "read".
[[nodiscard]] std::size_t rank_of_evidence(const std::string& evidence);

/// The shape of "sources": citations by name.
[[nodiscard]] input::Shape citations_shape();

/// The "sources" of one file.
class Citations {
 public:
  explicit Citations(input::Value sources) : sources_(std::move(sources)) {}

  /// The citation of that name; an error and an empty one if there is none.
  [[nodiscard]] Citation of(const input::Value& name, input::Diagnostics& diagnostics) const;

 private:
  input::Value sources_;
};

}  // namespace vgsim::vsphere
