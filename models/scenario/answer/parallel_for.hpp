#pragma once

#include <cstddef>
#include <functional>

namespace vgsim::scenario {

/// Calls `work` with 0 to count - 1, on all hardware threads. After an exception no further calls
/// start, and the exception of the lowest index is rethrown once all threads have ended.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace vgsim::scenario
