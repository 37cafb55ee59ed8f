#pragma once

#include <string>

namespace vgsim::probe::cuda {

/// Without blanks at either end.
[[nodiscard]] std::string trimmed(const std::string& text);

/// The value of the first "key :" in /proc/cpuinfo; empty if there is none.
[[nodiscard]] std::string processor_fact(const std::string& key);

}  // namespace vgsim::probe::cuda
