#pragma once

#include <string>

namespace vgsim::probe::cuda {

/// Without blanks at either end.
[[nodiscard]] std::string trimmed(const std::string& text);

/// What stands behind the first "key :" of /proc/cpuinfo; empty where nothing does.
[[nodiscard]] std::string processor_fact(const std::string& key);

}  // namespace vgsim::probe::cuda
