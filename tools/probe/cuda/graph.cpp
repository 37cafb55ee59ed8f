#include "tools/probe/cuda/graph.hpp"

#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

/// Destroys a graph description after instantiation, or on failure.
struct Description {
  Description() = default;
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  ~Description() {
    if (handle != nullptr) driver().graph_destroy(handle);
  }

  CUgraph handle = nullptr;
};

}  // namespace

// Everything queued between begin and end of a capture is recorded; it has to be ended even on
// failure. Relaxed mode, as libraries may allocate meanwhile.
Graph::Graph(const Stream& stream, const std::function<void()>& queue) : stream_(stream) {
  stream.gpu().make_current();
  check(driver().capture_begin(stream.handle(), CU_STREAM_CAPTURE_MODE_RELAXED),
        "cuStreamBeginCapture");
  Description description;
  try {
    queue();
  } catch (const DeviceError&) {
    driver().capture_end(stream.handle(), &description.handle);
    throw;
  }
  check(driver().capture_end(stream.handle(), &description.handle), "cuStreamEndCapture");
  check(driver().graph_instantiate(&graph_, description.handle, 0), "cuGraphInstantiateWithFlags");
}

Graph::~Graph() {
  stream_.gpu().try_make_current();
  driver().graph_exec_destroy(graph_);
}

void Graph::launch() const {
  check(driver().graph_launch(graph_, stream_.handle()), "cuGraphLaunch");
}

}  // namespace vgsim::probe::cuda
