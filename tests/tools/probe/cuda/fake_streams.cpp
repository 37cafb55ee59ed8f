// The driver's streams and events.

#include "tests/tools/probe/cuda/fake_state.hpp"

using namespace vgsim::fake;

CUresult cuStreamCreate(CUstream* stream, unsigned) {
  const Context* const context = needed_context("cuStreamCreate");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *stream = machine().streams.make({context});
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream) {
  if (needed_stream("cuStreamDestroy", stream) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  machine().streams.destroy(stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream handle) {
  Stream* const stream = needed_stream("cuStreamSynchronize", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->captured) misuse("cuStreamSynchronize: the stream is recorded");
  wait_until(stream->ready);
  stream->busy = false;
  return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned flags) {
  Stream* const stream = needed_stream("cuStreamWaitEvent", handle);
  const Event* const event = machine().events.find("cuStreamWaitEvent", event_handle);
  if (stream == nullptr || event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0 || !event->recorded) misuse("cuStreamWaitEvent: flags, or nothing recorded");
  stream->ready = std::max(stream->ready, event->time);
  stream->busy = true;
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream handle, CUstreamCaptureMode) {
  Stream* const stream = needed_stream("cuStreamBeginCapture", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->captured) misuse("cuStreamBeginCapture: the stream is recorded already");
  stream->captured = 0;
  return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph* graph) {
  Stream* const stream = needed_stream("cuStreamEndCapture", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->captured) {
    misuse("cuStreamEndCapture: the stream is not recorded");
    return CUDA_ERROR_INVALID_VALUE;
  }
  *graph = machine().graphs.make({stream->context, *stream->captured});
  stream->captured.reset();
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* ready, CUgraph handle, unsigned long long flags) {
  const Graph* const graph = machine().graphs.find("cuGraphInstantiateWithFlags", handle);
  if (graph == nullptr || needed_context("cuGraphInstantiateWithFlags") == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (flags != 0) misuse("cuGraphInstantiateWithFlags: flags");
  *ready = machine().ready_graphs.make(*graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  const Graph* const graph = machine().ready_graphs.find("cuGraphLaunch", handle);
  Stream* const stream = needed_stream("cuGraphLaunch", stream_handle);
  if (graph == nullptr || stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (graph->context != stream->context) misuse("cuGraphLaunch: a graph of another GPU");
  enqueue(*stream, graph->seconds);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec handle) {
  if (machine().ready_graphs.find("cuGraphExecDestroy", handle) == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  machine().ready_graphs.destroy(handle);
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph handle) {
  if (machine().graphs.find("cuGraphDestroy", handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  machine().graphs.destroy(handle);
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  const Context* const context = needed_context("cuEventCreate");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *event = machine().events.make({context, (flags & CU_EVENT_DISABLE_TIMING) == 0});
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) {
  if (needed_context("cuEventDestroy") == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (machine().events.find("cuEventDestroy", event) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  machine().events.destroy(event);
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent handle, CUstream stream_handle) {
  Stream* const stream = needed_stream("cuEventRecord", stream_handle);
  Event* const event = machine().events.find("cuEventRecord", handle);
  if (stream == nullptr || event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (event->context != stream->context) {
    misuse("cuEventRecord: an event and a stream of different contexts");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  enqueue(*stream, 0);
  event->recorded = true;
  event->time = stream->ready;
  event->stream = stream;
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent handle) {
  const Event* const event = machine().events.find("cuEventSynchronize", handle);
  if (event == nullptr || needed_context("cuEventSynchronize") == nullptr) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (!event->recorded) misuse("cuEventSynchronize: nothing recorded");
  wait_until(event->time);
  if (event->stream != nullptr && event->stream->ready <= event->time) event->stream->busy = false;
  return CUDA_SUCCESS;
}

// The probe uses the first version, which the header no longer declares.
#undef cuEventElapsedTime

extern "C" CUresult cuEventElapsedTime(float* milliseconds, CUevent start_handle,
                                       CUevent end_handle) {
  const Event* const start = machine().events.find("cuEventElapsedTime", start_handle);
  const Event* const end = machine().events.find("cuEventElapsedTime", end_handle);
  if (start == nullptr || end == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (start->context != end->context || !start->timed || !end->timed || !start->recorded ||
      !end->recorded) {
    misuse("cuEventElapsedTime: different contexts, no times, or nothing recorded");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (now() < end->time) {
    misuse("cuEventElapsedTime: the end is not reached");
    return CUDA_ERROR_NOT_READY;
  }
  *milliseconds = static_cast<float>((end->time - start->time) * 1e3);
  return CUDA_SUCCESS;
}
