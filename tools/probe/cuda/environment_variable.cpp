#include "tools/probe/cuda/environment_variable.hpp"

#include <cstdlib>

namespace vgsim::probe::cuda {

EnvironmentVariable::EnvironmentVariable(const char* name, const std::optional<std::string>& value)
    : name_(name), changed_(value.has_value()) {
  if (!changed_) return;
  if (const char* before = std::getenv(name)) before_ = before;
  setenv(name, value->c_str(), 1);
}

EnvironmentVariable::~EnvironmentVariable() {
  if (!changed_) return;
  if (before_) {
    setenv(name_, before_->c_str(), 1);
  } else {
    unsetenv(name_);
  }
}

}  // namespace vgsim::probe::cuda
