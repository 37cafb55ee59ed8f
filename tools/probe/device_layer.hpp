#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/calibration/device_work.hpp"
#include "models/calibration/measurement.hpp"

namespace vgsim::probe {

/// A failure of a device or a library: out of memory, no peer access, a missing library. The
/// probe skips that work, with this reason.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Work with its memory, kernels and communicators, which its destructor frees.
class PreparedWork {
 public:
  PreparedWork() = default;
  PreparedWork(const PreparedWork&) = delete;
  PreparedWork& operator=(const PreparedWork&) = delete;
  virtual ~PreparedWork() = default;

  /// Repeats the work `repeats` times. Seconds from the start of the first to the end of the
  /// last, by the device's clock if it has one. Throws DeviceError.
  [[nodiscard]] virtual double seconds(std::size_t repeats) = 0;
};

/// One rank of a collective call over several processes.
struct CallRank {
  std::string id;        ///< equal for all ranks; calls with the same id share their communicator
  std::size_t rank = 0;  ///< in the call
  std::size_t gpu = 0;   ///< its GPU on this machine
};

/// The GPUs of a machine, for timing. It changes no setting of a card: clocks, power limits,
/// MIG and compute mode are kept.
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

  /// An id by which ranks of several processes find each other; any bytes. Throws
  /// DeviceError.
  [[nodiscard]] virtual std::string new_call_id() = 0;

  /// The part of one rank; all ranks prepare and run theirs at the same time. Throws
  /// DeviceError.
  [[nodiscard]] virtual std::unique_ptr<PreparedWork> prepare_rank(
      const calibration::CollectiveCall& call, const CallRank& rank) = 0;
};

}  // namespace vgsim::probe
