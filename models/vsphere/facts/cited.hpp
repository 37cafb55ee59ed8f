#pragma once

#include <string>
#include <utility>
#include <vector>

#include "topology/input/shapes/shape.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::vsphere {

/// Where a fact of `configs/vsphere/` comes from, and how well it is known.
struct Citation {
  std::string title;
  std::string url;       ///< may be empty
  std::string evidence;  ///< "documented", "measured", "recalled" or "assumed"

  bool operator==(const Citation&) const = default;
};

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
