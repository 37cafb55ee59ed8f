#pragma once

#include <atomic>
#include <string>

namespace vgsim::files {

/// The name of a file that is removed with this object, and when SIGHUP, SIGINT, SIGQUIT or
/// SIGTERM ends the program; only SIGKILL leaves it behind.
class Temporary {
 public:
  explicit Temporary(std::string name);
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::atomic<const char*>* slot_ = nullptr;  ///< read by the signal handler
};

/// A unique name in the folder of that file: "result.json.5d0c2ab1e07f.tmp". It does not
/// contain the process id, which is the same in every container.
[[nodiscard]] std::string temporary_name(const std::string& file);

}  // namespace vgsim::files
