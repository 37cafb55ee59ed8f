#pragma once

#include <atomic>
#include <string>

namespace vgsim::files {

/// The name of a file that goes away with this object, and with the program where SIGHUP, SIGINT,
/// SIGQUIT or SIGTERM ends it. Nobody but SIGKILL leaves it behind.
class Temporary {
 public:
  explicit Temporary(std::string name);
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::atomic<const char*>* slot_ = nullptr;  ///< where the handler of signals finds it
};

/// A name beside that file that none had before: "result.json.5d0c2ab1e07f.tmp". Not of the
/// process, since in every container the program has the same number.
[[nodiscard]] std::string name_beside(const std::string& file);

}  // namespace vgsim::files
