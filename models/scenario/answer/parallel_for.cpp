#include "models/scenario/answer/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace vgsim::scenario {
namespace {

/// WebAssembly without shared memory has one thread.
std::size_t most_threads() {
#ifdef __EMSCRIPTEN__
  return 1;
#else
  return std::max(1U, std::thread::hardware_concurrency());
#endif
}

}  // namespace

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  const std::size_t most = std::min(most_threads(), count);
  if (most == 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < most; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) {
        try {
          work(i);
        } catch (...) {
          thrown[i] = std::current_exception();
          next = count;
        }
      }
    });
  }
  for (std::thread& each : threads) each.join();
  for (const std::exception_ptr& each : thrown) {
    if (each) std::rethrow_exception(each);
  }
}

}  // namespace vgsim::scenario
