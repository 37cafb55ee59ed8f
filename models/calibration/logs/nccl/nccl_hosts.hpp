#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vgsim::calibration::logs {

/// A host's name as it stands before a message, and the process that wrote it.
struct NcclProcess {
  std::string host;
  std::string pid;
};

/// The process in "host:pid:tid". The host is empty where that is cut.
[[nodiscard]] NcclProcess process_in(std::string_view thread);

/// Names of hosts, of which some stand cut, or with the end of another message before them. Of
/// two names that one process has, the one that ends the other and stands more often is meant.
class NcclHosts {
 public:
  void note(const NcclProcess& process);

  /// To be called when all is noted.
  [[nodiscard]] const std::string& meant(const NcclProcess& process) const;

  /// In the order in which they were noted.
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
