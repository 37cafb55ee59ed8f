#pragma once

#include "tools/files/file_error.hpp"

namespace vgsim::sweep {

/// Thrown when a store or an export cannot be read or written, or is invalid. The text is for
/// people and names the file.
class StoreError : public files::FileError {
 public:
  using files::FileError::FileError;
};

}  // namespace vgsim::sweep
