// The driver's memory, and copies of it. Memory of a GPU is that of the host, whose pages exist
// once they are written. The first and the last bytes of a copy really move: enough for a wrong
// address to show, without the time that all of them would take.

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "tests/tools/probe/cuda/fake_state.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"

using namespace vgsim::fake;

namespace {

constexpr std::size_t kMoved = 4096;  // at either end

std::uintptr_t address(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }
void* pointer(CUdeviceptr at) { return reinterpret_cast<void*>(at); }

void move(void* to, const void* from, std::size_t size) {
  const std::size_t part = std::min(size, kMoved);
  std::memmove(to, from, part);
  std::memmove(static_cast<char*>(to) + (size - part),
               static_cast<const char*>(from) + (size - part), part);
}

/// Null if memory is exhausted.
void* allocate(std::size_t size, const Memory& memory) {
  void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  machine().memory[address(at)] = memory;
  return at;
}

/// Takes an allocation of that kind out of the table; its size, 0 without one.
std::size_t remove(const char* call, const void* at, MemoryKind kind) {
  auto& all = machine().memory;
  const auto found = all.find(address(at));
  if (needed_context(call) == nullptr) return 0;
  if (found == all.end() || found->second.kind != kind) {
    misuse(fmt::format("{}: memory that is not allocated", call));
    return 0;
  }
  const std::size_t size = found->second.size;
  all.erase(found);
  return size;
}

CUresult release(const char* call, void* at, MemoryKind kind) {
  const std::size_t size = remove(call, at, kind);
  if (size == 0) return CUDA_ERROR_INVALID_VALUE;
  munmap(at, size);
  return CUDA_SUCCESS;
}

/// Whether these are bytes of the context's own GPU.
bool check_own(const char* call, const Context& context, CUdeviceptr at, std::size_t size) {
  const Memory* const memory = find_memory(pointer(at), size);
  if (memory != nullptr && memory->kind == MemoryKind::kDevice && memory->context == &context) {
    return true;
  }
  misuse(fmt::format("{}: {} bytes that are not memory of GPU {}", call, size, context.gpu));
  return false;
}

/// Unpinned host memory belongs to the program and is not checked.
bool is_pinned(const char* call, const void* at, std::size_t size) {
  const Memory* const memory = find_memory(at, 1);
  if (memory == nullptr) return false;
  if (memory->kind == MemoryKind::kDevice || find_memory(at, size) == nullptr) {
    misuse(fmt::format("{}: {} bytes that are not within host memory", call, size));
  }
  return true;
}

}  // namespace

CUresult cuMemAlloc(CUdeviceptr* at, std::size_t size) {
  const Context* const context = needed_context("cuMemAlloc");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (size == 0) {
    misuse("cuMemAlloc: nothing");
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (size > machine().most_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  void* const made = allocate(size, {size, context, MemoryKind::kDevice, true});
  *at = reinterpret_cast<CUdeviceptr>(made);
  return made == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr at) {
  return release("cuMemFree", pointer(at), MemoryKind::kDevice);
}

CUresult cuMemHostAlloc(void** at, std::size_t size, unsigned flags) {
  const Context* const context = needed_context("cuMemHostAlloc");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  const bool mapped = (flags & CU_MEMHOSTALLOC_DEVICEMAP) != 0;
  *at = allocate(size, {size, context, MemoryKind::kPinned, mapped});
  return *at == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void* at) { return release("cuMemFreeHost", at, MemoryKind::kPinned); }

CUresult cuMemHostRegister(void* at, std::size_t size, unsigned flags) {
  const Context* const context = needed_context("cuMemHostRegister");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (size == 0 || find_memory(at, 1) != nullptr) {
    misuse("cuMemHostRegister: no bytes, or bytes that are pinned already");
    return CUDA_ERROR_INVALID_VALUE;
  }
  const bool mapped = (flags & CU_MEMHOSTREGISTER_DEVICEMAP) != 0;
  machine().memory[address(at)] = {size, context, MemoryKind::kRegistered, mapped};
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void* at) {
  const bool removed = remove("cuMemHostUnregister", at, MemoryKind::kRegistered) > 0;
  return removed ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* at, void* host, unsigned flags) {
  const Context* const context = needed_context("cuMemHostGetDevicePointer");
  const Memory* const memory = find_memory(host, 1);
  if (context == nullptr || memory == nullptr || !memory->mapped || flags != 0) {
    misuse("cuMemHostGetDevicePointer: memory that is not mapped");
    return CUDA_ERROR_INVALID_VALUE;
  }
  *at = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, std::size_t size, CUstream handle) {
  Stream* const stream = needed_stream("cuMemsetD8Async", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!check_own("cuMemsetD8Async", *stream->context, at, size)) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t part = std::min(size, kMoved);
  std::memset(pointer(at), value, part);
  std::memset(pointer(at + (size - part)), value, part);
  enqueue(*stream, static_cast<double>(size) / kMemoryRate);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t size, CUstream handle) {
  Stream* const stream = needed_stream("cuMemcpyHtoDAsync", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!check_own("cuMemcpyHtoDAsync", *stream->context, to, size)) return CUDA_ERROR_INVALID_VALUE;
  const double rate = is_pinned("cuMemcpyHtoDAsync", from, size) ? kToGpuRate : kPageableRate;
  move(pointer(to), from, size);
  enqueue(*stream, kCopyLatency + static_cast<double>(size) / rate);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t size, CUstream handle) {
  Stream* const stream = needed_stream("cuMemcpyDtoHAsync", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!check_own("cuMemcpyDtoHAsync", *stream->context, from, size)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const double rate = is_pinned("cuMemcpyDtoHAsync", to, size) ? kToHostRate : kPageableRate;
  move(to, pointer(from), size);
  enqueue(*stream, kCopyLatency + static_cast<double>(size) / rate);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream handle) {
  Stream* const stream = needed_stream("cuMemcpyDtoDAsync", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!check_own("cuMemcpyDtoDAsync", *stream->context, from, size) ||
      !check_own("cuMemcpyDtoDAsync", *stream->context, to, size)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  move(pointer(to), pointer(from), size);
  enqueue(*stream, kCopyLatency + 2 * static_cast<double>(size) / kMemoryRate);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_handle, CUdeviceptr from,
                           CUcontext from_handle, std::size_t size, CUstream handle) {
  Stream* const stream = needed_stream("cuMemcpyPeerAsync", handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const Context* const to_context = context_of("cuMemcpyPeerAsync", to_handle);
  const Context* const from_context = context_of("cuMemcpyPeerAsync", from_handle);
  if (to_context == nullptr || from_context == nullptr ||
      !check_own("cuMemcpyPeerAsync", *to_context, to, size) ||
      !check_own("cuMemcpyPeerAsync", *from_context, from, size)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const bool direct = from_context->reachable.count(to_context) > 0;
  move(pointer(to), pointer(from), size);
  enqueue(*stream, kCopyLatency + static_cast<double>(size) / (direct ? kPeerRate : kStagedRate));
  return CUDA_SUCCESS;
}
