#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {

double StreamWork::seconds(std::size_t repeats) {
  stream_.gpu().make_current();
  start_.record(stream_);
  for (std::size_t i = 0; i < repeats; ++i) enqueue();
  end_.record(stream_);
  end_.synchronize();
  return end_.seconds_since(start_);
}

}  // namespace vgsim::probe::cuda
