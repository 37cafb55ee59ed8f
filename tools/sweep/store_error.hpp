#pragma once

#include <stdexcept>

namespace vgsim::sweep {

/// Thrown when a store or an export cannot be read or written, or is not what it should be. The
/// text is for people and names the file.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace vgsim::sweep
