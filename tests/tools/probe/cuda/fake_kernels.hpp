#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/tools/probe/cuda/fake_state.hpp"

namespace vgsim::fake {

/// One launch of a kernel, with the addresses of its arguments.
struct KernelLaunch {
  const Function& function;
  unsigned grid_x;
  unsigned grid_y;
  unsigned block_x;
  unsigned block_y;
  void** arguments;
};

/// Bytes that a kernel reads or writes.
struct Use {
  const void* at;
  std::size_t size;
};

/// What a kernel of the probe touches; nothing for one that is not known, which is a misuse.
[[nodiscard]] std::vector<Use> uses_of(const KernelLaunch& launch);

/// Seconds that it takes, in a context.
[[nodiscard]] double duration_of(const KernelLaunch& launch, const Context& context);

}  // namespace vgsim::fake
