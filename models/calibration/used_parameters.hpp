#pragma once

#include <mutex>
#include <set>
#include <string>

namespace vgsim::calibration {

/// Names of the parameters that a run reads; thread-safe.
class UsedParameters {
 public:
  void add(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.insert(name);
  }
  void add(const std::set<std::string>& names) {
    const std::lock_guard lock(mutex_);
    names_.insert(names.begin(), names.end());
  }
  [[nodiscard]] std::set<std::string> names() const {
    const std::lock_guard lock(mutex_);
    return names_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

}  // namespace vgsim::calibration
