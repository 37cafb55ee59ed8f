#include "tools/probe/cuda/stream.hpp"

#include <utility>

#include "tools/probe/cuda/libraries/driver_api.hpp"

namespace vgsim::probe::cuda {

Event::Event(GpuPtr gpu) : gpu_(std::move(gpu)) {
  gpu_->make_current();
  check(driver().event_create(&event_, CU_EVENT_DEFAULT), "cuEventCreate");
}

Event::~Event() {
  gpu_->try_make_current();
  driver().event_destroy(event_);
}

void Event::record(const Stream& stream) const {
  check(driver().event_record(event_, stream.handle()), "cuEventRecord");
}

void Event::synchronize() const { check(driver().event_synchronize(event_), "cuEventSynchronize"); }

double Event::seconds_since(const Event& start) const {
  float milliseconds = 0;
  check(driver().event_elapsed(&milliseconds, start.event_, event_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

Stream::Stream(GpuPtr gpu) : gpu_(std::move(gpu)) {
  gpu_->make_current();
  check(driver().stream_create(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

Stream::~Stream() {
  gpu_->try_make_current();
  driver().stream_destroy(stream_);
}

void Stream::synchronize() const {
  check(driver().stream_synchronize(stream_), "cuStreamSynchronize");
}

void Stream::wait_for(const Event& event) const {
  check(driver().stream_wait(stream_, event.handle(), 0), "cuStreamWaitEvent");
}

}  // namespace vgsim::probe::cuda
