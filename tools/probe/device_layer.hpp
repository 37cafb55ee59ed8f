#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/calibration/device_work.hpp"
#include "models/calibration/measurement.hpp"

namespace vgsim::probe {

/// What a device or its libraries refuse: no memory, no peer access, a library that is not there.
/// The probe leaves that work out, with this reason, and goes on.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Work whose memory, kernels and communicators stand ready. Destroying it frees them.
class PreparedWork {
 public:
  PreparedWork() = default;
  PreparedWork(const PreparedWork&) = delete;
  PreparedWork& operator=(const PreparedWork&) = delete;
  virtual ~PreparedWork() = default;

  /// Does the work `repeats` times in a row. Seconds from the start of the first to the end of the
  /// last, by the device's own clock where it has one. Throws DeviceError.
  [[nodiscard]] virtual double seconds(std::size_t repeats) = 0;
};

/// One rank of a collective call over several processes.
struct CallRank {
  std::string id;        ///< the same for all ranks; calls with the same one share what joins them
  std::size_t rank = 0;  ///< of as many as the call has GPUs
  std::size_t gpu = 0;   ///< of this machine, which the rank uses
};

/// The GPUs of a machine, and what they can be timed at. It changes no setting of a card: clocks,
/// power limits, MIG and compute mode stay as they are.
class DeviceLayer {
 public:
  DeviceLayer() = default;
  DeviceLayer(const DeviceLayer&) = delete;
  DeviceLayer& operator=(const DeviceLayer&) = delete;
  virtual ~DeviceLayer() = default;

  [[nodiscard]] virtual calibration::MeasuredMachine machine() = 0;

  /// Throws DeviceError.
  [[nodiscard]] virtual std::unique_ptr<PreparedWork> prepare(
      const calibration::DeviceWork& work) = 0;

  /// By which ranks of several processes find each other; any bytes. Throws DeviceError.
  [[nodiscard]] virtual std::string new_call_id() = 0;

  /// The part of one rank; all ranks prepare theirs, and run them, at the same time. Throws
  /// DeviceError.
  [[nodiscard]] virtual std::unique_ptr<PreparedWork> prepare_rank(
      const calibration::CollectiveCall& call, const CallRank& rank) = 0;
};

}  // namespace vgsim::probe
