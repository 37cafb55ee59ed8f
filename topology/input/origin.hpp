#pragma once

#include <memory>
#include <string>

#include "topology/input/source_file.hpp"

namespace vgsim::input {

/// One step of the way from the top of a file to a value; the top itself is a null pointer.
struct Path {
  std::shared_ptr<const Path> parent;
  std::string token;  ///< Key or decimal index, not escaped.
};
using PathPtr = std::shared_ptr<const Path>;

/// The JSON pointer (RFC 6901) of a path: "" for the top, "/hosts/0/a~1b".
[[nodiscard]] std::string to_pointer(const PathPtr& path);

/// Where a value was written. Merging moves values between documents; their origin stays.
struct Origin {
  Location location;
  PathPtr path;
};

/// Something that was read, and where it was written, for messages.
template <class T>
struct At {
  T value{};
  Origin origin;      ///< of what is around it, where it is a default
  bool given = true;  ///< false: it is the default of its key

  const T& operator*() const { return value; }
  const T* operator->() const { return &value; }
  /// Whether both say the same, wherever they stand.
  bool operator==(const At& other) const { return value == other.value; }
};

/// One entry of an object whose keys are free names.
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
