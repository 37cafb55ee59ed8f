#pragma once

#include <cstddef>
#include <functional>

namespace vgsim::scenario {

/// Calls `work` with 0 to count - 1, on as many threads as the machine has. When one call throws,
/// no others begin, and the exception of the lowest index is thrown once all threads have ended.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace vgsim::scenario
