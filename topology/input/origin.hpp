#pragma once

#include <memory>
#include <string>

#include "topology/input/source_file.hpp"

namespace vgsim::input {

/// One step on the path from the root of a file to a value; the root is a null pointer.
struct Path {
  std::shared_ptr<const Path> parent;
  std::string token;  ///< Key or decimal index, not escaped.
};
using PathPtr = std::shared_ptr<const Path>;

/// The JSON pointer (RFC 6901) of a path: "" for the root, "/hosts/0/a~1b".
[[nodiscard]] std::string to_pointer(const PathPtr& path);

/// The position of a value in its file. Merging moves values between documents; their origin stays.
struct Origin {
  Location location;
  PathPtr path;
};

/// A value with its origin, for messages.
template <class T>
struct At {
  T value{};
  Origin origin;      ///< for a default, that of the enclosing object
  bool given = true;  ///< false: the default of its key

  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
  /// Compares the values without their origins.
  bool operator==(const At& other) const { return value == other.value; }
};

/// An entry of an object with free names as keys.
template <class T>
struct Named {
  std::string name;
  Location key;
  T value{};
  Origin origin;  ///< of the value

  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
};

}  // namespace vgsim::input
