#include "models/scenario/answer/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace vgsim::scenario {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::jthread> threads;
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t t = 0; t < std::min(most, count); ++t) {
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
  threads.clear();  // joins them
  for (const std::exception_ptr& each : thrown) {
    if (each) std::rethrow_exception(each);
  }
}

}  // namespace vgsim::scenario
