#pragma once

#include <optional>
#include <string>

namespace vgsim::probe::cuda {

/// A variable of this process' environment that has a value as long as this object lives.
class EnvironmentVariable {
 public:
  /// Without a value the variable stays as it is.
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
