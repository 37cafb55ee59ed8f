#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/probe/device_layer.hpp"
#include "tools/probe/plan.hpp"
#include "tools/probe/processes/connection.hpp"
#include "tools/probe/processes/job_place.hpp"

namespace vgsim::probe {

/// The GPUs of a job, as used by rank 0: work on one machine is done by its own GPUs,
/// collective calls over several machines by all ranks on its command.
class JobDevices : public DeviceLayer {
 public:
  /// Waits for the other ranks, which connect to `listener`. Throws DeviceError.
  JobDevices(std::unique_ptr<DeviceLayer> own, const JobPlace& place, Listener& listener);
  /// Ends the other ranks.
  ~JobDevices() override;

  [[nodiscard]] ProbeJob job() const { return job_; }

  [[nodiscard]] calibration::MeasuredMachine machine() override { return own_->machine(); }
  [[nodiscard]] std::unique_ptr<PreparedWork> prepare(const calibration::DeviceWork& work) override;
  [[nodiscard]] std::string new_call_id() override { return own_->new_call_id(); }
  [[nodiscard]] std::unique_ptr<PreparedWork> prepare_rank(const calibration::CollectiveCall& call,
                                                           const CallRank& rank) override {
    return own_->prepare_rank(call, rank);
  }

 private:
  std::unique_ptr<DeviceLayer> own_;
  std::size_t gpu_;  ///< of rank 0
  std::vector<Connection> others_;
  ProbeJob job_;
  calibration::CollectiveCall last_call_;  ///< with that id
  std::string call_id_;                    ///< empty: the next call needs a new one
};

/// Executes the commands of rank 0 on another rank until the end of the job. Throws DeviceError
/// if rank 0 does not answer.
void follow(DeviceLayer& devices, const JobPlace& place);

}  // namespace vgsim::probe
