#pragma once

#include <cuda.h>

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/tools/probe/cuda/fake_device.hpp"
#include "tests/tools/probe/cuda/registry.hpp"

/// State of the fake driver.
namespace vgsim::fake {

struct Context {
  int gpu = 0;
  int retained = 0;
  std::set<const Context*> reachable;  ///< whose memory its kernels and engines reach
};

/// Its clock is that of the host. Only the first work of an idle stream begins now; what follows
/// begins where the work before it ends, however slow the host is, but for a slow one that is asked
/// for (Machine::host_time).
struct Stream {
  const Context* context = nullptr;
  bool busy = false;
  double ready = 0;                  ///< when all its work is done
  std::optional<double> captured{};  ///< seconds of what is recorded instead of run
};

/// As described, or ready to run.
struct Graph {
  const Context* context = nullptr;
  double seconds = 0;
};

struct Event {
  const Context* context = nullptr;
  bool timed = true;
  bool recorded = false;
  double time = 0;
  Stream* stream = nullptr;  ///< where it was recorded
};

struct Function {
  const Context* context = nullptr;
  std::string name;
  std::vector<std::size_t> parameters;  ///< sizes
  std::size_t element = 4;              ///< bytes of an element of the network's tensors
};

struct Module {
  const Context* context = nullptr;
  std::string ptx;
  std::map<std::string, CUfunction> functions;
};

enum class MemoryKind { kDevice, kPinned, kRegistered };

struct Memory {
  std::size_t size = 0;
  const Context* context = nullptr;
  MemoryKind kind = MemoryKind::kDevice;
  bool mapped = false;  ///< host memory that kernels reach
};

struct Machine {
  Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  /// Reports objects that still exist.
  ~Machine();

  /// Reports what is left in a context that ends, all of them for null.
  void report_left(const Context* context);

  bool initialized = false;
  std::vector<Context> contexts;  ///< the primary one of each GPU
  Registry<Stream, CUstream> streams{"stream"};
  Registry<Event, CUevent> events{"event"};
  Registry<Graph, CUgraph> graphs{"graph"};
  Registry<Graph, CUgraphExec> ready_graphs{"graph that is ready"};
  Registry<Module, CUmodule> modules{"module"};
  Registry<Function, CUfunction> functions{"function"};
  std::map<std::uintptr_t, Memory> memory;
  std::size_t most_bytes = SIZE_MAX;  ///< of an allocation in a GPU
  double host_time = 0;               ///< seconds that the host takes to queue any work
};

[[nodiscard]] Machine& machine();

/// That of the calling thread, null without one.
[[nodiscard]] Context*& current();

/// The current context; null, and a misuse of `call`, where there is none that lives.
[[nodiscard]] Context* needed_context(const char* call);

/// The primary context of a handle; null, and a misuse, for other handles.
[[nodiscard]] Context* context_of(const char* call, CUcontext handle);

/// The stream, if the current context is its own.
[[nodiscard]] Stream* needed_stream(const char* call, CUstream handle);

/// The allocation that has these bytes, null without one.
[[nodiscard]] const Memory* find_memory(const void* at, std::size_t size);

[[nodiscard]] double now();
void wait_until(double time);
void enqueue(Stream& stream, double seconds);

}  // namespace vgsim::fake
