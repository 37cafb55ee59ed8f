#pragma once

#include <cstddef>

/// What the machine of the fake libraries takes: seconds, and bytes or operations per second.
namespace vgsim::fake {

inline constexpr const char* kGpuName = "NVIDIA Fake 9000";
inline constexpr const char* kDriverVersion = "580.1.2";
inline constexpr const char* kNcclVersion = "2.28.9";
inline constexpr const char* kTopologyMark = "<system version=\"1\">";
inline constexpr std::size_t kMultiprocessors = 128;

inline constexpr double kCopyLatency = 2e-6;  ///< of every copy by an engine
inline constexpr double kToGpuRate = 50e9;
inline constexpr double kToHostRate = 40e9;
inline constexpr double kPageableRate = 10e9;  ///< both ways
inline constexpr double kPeerRate = 200e9;
inline constexpr double kStagedRate = 20e9;   ///< between GPUs without peer access
inline constexpr double kMemoryRate = 4e12;   ///< reading and writing
inline constexpr double kLaunch = 3e-6;       ///< the empty kernel, and the latency of the copy
inline constexpr double kOtherKernel = 1e-6;  ///< of the networks, and fills

inline constexpr double kFp32Rate = 60e12;
inline constexpr double kTf32Rate = 400e12;
inline constexpr double kFp16Rate = 700e12;
inline constexpr double kBf16Rate = 800e12;
inline constexpr double kFp8Rate = 1600e12;

inline constexpr double kCollectiveLatency = 10e-6;
inline constexpr double kCollectiveRate = 100e9;  ///< bytes of the whole call
inline constexpr double kLlRate = 25e9;           ///< with protocol LL

}  // namespace vgsim::fake
