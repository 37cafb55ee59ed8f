#pragma once

#include <string>

namespace vgsim::probe::cuda {

/// An empty file that goes with this object.
class TemporaryFile {
 public:
  /// Throws DeviceError.
  TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string content() const;

 private:
  std::string path_;
};

}  // namespace vgsim::probe::cuda
