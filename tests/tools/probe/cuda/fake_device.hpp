#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>
#include <vector>

/// What the fake libcuda.so.1 offers to the fakes of the libraries above it.
namespace vgsim::fake {

/// A line for the file VGSIM_FAKE_LOG: how the probe uses the libraries wrongly.
void misuse(const std::string& text);

inline constexpr int kNoGpu = -1;

/// Ordinal of the current context's GPU; kNoGpu, and a misuse of `call`, where there is none.
[[nodiscard]] int current_gpu(const char* call);

[[nodiscard]] int count_of_gpus();

/// Whether the context of the GPU is there, else a misuse.
bool check_context(const char* call, int gpu);

/// Whether the context of `gpu` may read and write these bytes, else a misuse.
bool check_range(const char* call, int gpu, const void* at, std::size_t size);

/// Whether it is a stream of that GPU, else a misuse.
bool check_stream(const char* call, int gpu, CUstream stream);

/// Peer access between two GPUs, both ways, as a library above enables it and relies on it.
void enable_peers(int one, int other);
[[nodiscard]] bool are_peers(int one, int other);

/// Work of that many seconds behind all that is in the stream.
void enqueue(CUstream stream, double seconds);

/// The same for work that begins and ends in several streams at once.
void enqueue_together(const std::vector<CUstream>& streams, double seconds);

}  // namespace vgsim::fake
