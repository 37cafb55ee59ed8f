#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vgsim::calibration::logs {

/// A host name in front of a message, and the process that wrote it.
struct NcclProcess {
  std::string host;
  std::string pid;
};

/// The process in "host:pid:tid". The host is empty if it is truncated.
[[nodiscard]] NcclProcess process_in(std::string_view thread);

/// Host names, some of them truncated or preceded by the end of another message. If one name of a
/// process ends with another one of it, the more frequent name is used.
class NcclHosts {
 public:
  void note(const NcclProcess& process);

  /// Call it after all names were added.
  [[nodiscard]] const std::string& meant(const NcclProcess& process) const;

  /// In the order in which they were added.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct Name {
    std::string host;
    std::size_t times = 0;
  };

  std::unordered_map<std::string, std::vector<Name>> names_;  ///< by process
  std::vector<NcclProcess> order_;
};

}  // namespace vgsim::calibration::logs
