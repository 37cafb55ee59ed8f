#include "tests/tools/probe/cuda/fake_state.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace vgsim::fake {
namespace {

std::size_t number_in(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

template <class Objects>
void report_of(const Objects& objects, const Context* context) {
  std::size_t count = 0;
  for (const auto& [handle, object] : objects.live()) {
    if (context == nullptr || object->context == context) ++count;
  }
  if (count > 0) misuse(fmt::format("{} x {} left", count, objects.kind()));
}

}  // namespace

Machine::Machine()
    : contexts(number_in("VGSIM_FAKE_GPUS", 2)),
      most_bytes(number_in("VGSIM_FAKE_REFUSE", SIZE_MAX)),
      host_time(1e-6 * static_cast<double>(number_in("VGSIM_FAKE_HOST_US", 0))) {
  for (std::size_t i = 0; i < contexts.size(); ++i) contexts[i].gpu = static_cast<int>(i);
}

Machine::~Machine() {
  for (const Context& context : contexts) {
    if (context.retained > 0) misuse(fmt::format("context of GPU {} still retained", context.gpu));
  }
  report_left(nullptr);
}

void Machine::report_left(const Context* context) {
  report_of(streams, context);
  report_of(events, context);
  report_of(graphs, context);
  report_of(ready_graphs, context);
  report_of(modules, context);
  for (const auto& [at, memory_there] : memory) {
    if (context == nullptr || memory_there.context == context) {
      misuse(fmt::format("{} bytes of memory left", memory_there.size));
    }
  }
}

Machine& machine() {
  static Machine only;
  return only;
}

Context*& current() {
  thread_local Context* context = nullptr;
  return context;
}

Context* needed_context(const char* call) {
  Context* const context = current();
  if (context != nullptr && context->retained > 0) return context;
  misuse(fmt::format("{}: no context is current", call));
  return nullptr;
}

Context* context_of(const char* call, CUcontext handle) {
  for (Context& context : machine().contexts) {
    if (reinterpret_cast<CUcontext>(&context) == handle && context.retained > 0) return &context;
  }
  misuse(fmt::format("{}: a context that does not exist", call));
  return nullptr;
}

Stream* needed_stream(const char* call, CUstream handle) {
  const Context* const context = needed_context(call);
  Stream* const stream = machine().streams.find(call, handle);
  if (context == nullptr || stream == nullptr) return nullptr;
  if (stream->context == context) return stream;
  misuse(fmt::format("{}: a stream of GPU {} while the context of GPU {} is current", call,
                     stream->context->gpu, context->gpu));
  return nullptr;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void wait_until(double time) {
  constexpr double kShort = 200e-6;  // sleeps take longer than requested
  if (const double left = time - now(); left > kShort) {
    std::this_thread::sleep_for(std::chrono::duration<double>(left - kShort));
  }
  while (now() < time) std::this_thread::yield();
}

void enqueue(Stream& stream, double seconds) {
  if (stream.captured) {
    *stream.captured += seconds;
    return;
  }
  if (machine().host_time > 0) {
    wait_until(now() + machine().host_time);
    stream.busy = false;
  }
  if (!stream.busy) stream.ready = std::max(stream.ready, now());
  stream.busy = true;
  stream.ready += seconds;
}

const Memory* find_memory(const void* at, std::size_t size) {
  const auto& all = machine().memory;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  auto behind = all.upper_bound(address);
  if (behind == all.begin()) return nullptr;
  const auto& [begin, memory] = *--behind;
  return address + size <= begin + memory.size ? &memory : nullptr;
}

void misuse(const std::string& text) {
  if (const char* path = std::getenv("VGSIM_FAKE_LOG")) {
    std::ofstream(path, std::ios::app) << text << '\n';
  }
}

int current_gpu(const char* call) {
  const Context* const context = needed_context(call);
  return context == nullptr ? kNoGpu : context->gpu;
}

int count_of_gpus() { return static_cast<int>(machine().contexts.size()); }

bool check_context(const char* call, int gpu) {
  if (gpu >= 0 && gpu < count_of_gpus() &&
      machine().contexts[static_cast<std::size_t>(gpu)].retained > 0) {
    return true;
  }
  misuse(fmt::format("{}: no context of GPU {}", call, gpu));
  return false;
}

bool check_range(const char* call, int gpu, const void* at, std::size_t size) {
  if (!check_context(call, gpu)) return false;
  const Memory* const memory = find_memory(at, size);
  if (memory == nullptr) {
    misuse(fmt::format("{}: {} bytes that are not within one allocation", call, size));
    return false;
  }
  const Context& context = machine().contexts[static_cast<std::size_t>(gpu)];
  const bool reached =
      memory->kind != MemoryKind::kDevice
          ? memory->mapped
          : memory->context == &context || context.reachable.count(memory->context) > 0;
  if (!reached) misuse(fmt::format("{}: memory that GPU {} does not reach", call, gpu));
  return reached;
}

bool check_stream(const char* call, int gpu, CUstream stream) {
  const Stream* const found = machine().streams.find(call, stream);
  if (found == nullptr) return false;
  if (found->context->gpu == gpu) return true;
  misuse(fmt::format("{}: a stream of GPU {} for GPU {}", call, found->context->gpu, gpu));
  return false;
}

void enable_peers(int one, int other) {
  Context& first = machine().contexts.at(static_cast<std::size_t>(one));
  Context& second = machine().contexts.at(static_cast<std::size_t>(other));
  first.reachable.insert(&second);
  second.reachable.insert(&first);
}

bool are_peers(int one, int other) {
  const Context& first = machine().contexts.at(static_cast<std::size_t>(one));
  const Context& second = machine().contexts.at(static_cast<std::size_t>(other));
  return first.reachable.count(&second) > 0 && second.reachable.count(&first) > 0;
}

void enqueue(CUstream stream, double seconds) {
  if (Stream* const found = machine().streams.find("enqueue", stream)) enqueue(*found, seconds);
}

void enqueue_together(const std::vector<CUstream>& streams, double seconds) {
  double start = 0;
  for (const CUstream stream : streams) {
    Stream* const found = machine().streams.find("enqueue", stream);
    if (found == nullptr) return;
    enqueue(*found, 0);
    start = std::max(start, found->ready);
  }
  for (const CUstream stream : streams) {
    machine().streams.find("enqueue", stream)->ready = start + seconds;
  }
}

}  // namespace vgsim::fake
