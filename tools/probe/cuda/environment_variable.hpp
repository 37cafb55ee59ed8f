#pragma once

#include <optional>
#include <string>

namespace vgsim::probe::cuda {

/// Sets a variable of this process' environment during its lifetime.
class EnvironmentVariable {
 public:
  /// Without a value the variable is unchanged.
  EnvironmentVariable(const char* name, const std::optional<std::string>& value);
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
  ~EnvironmentVariable();

 private:
  const char* name_;
  bool changed_;
  std::optional<std::string> before_;
};

}  // namespace vgsim::probe::cuda
