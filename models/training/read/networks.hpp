#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "models/training/network.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::training {

/// The networks that can be trained by name. A file is read when its network is first requested.
class Networks {
 public:
  Networks() = default;
  /// Files by network name.
  explicit Networks(std::map<std::string, input::SourcePtr> files) : files_(std::move(files)) {}

  /// The network with that name, or from that file ("resnet.json", read by `load`). Empty after an
  /// error was reported.
  [[nodiscard]] std::shared_ptr<const NetworkModel> find(const input::At<std::string>& network,
                                                         const input::FileLoader& load,
                                                         input::Diagnostics& diagnostics) const;
  /// Throws std::out_of_range for an unknown name, std::runtime_error for a bad file.
  [[nodiscard]] const NetworkModel& at(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] std::shared_ptr<const NetworkModel> load(const std::string& name,
                                                         input::Diagnostics& diagnostics) const;

  std::map<std::string, input::SourcePtr> files_;
  /// Guards `read_`: scenarios can run concurrently.
  std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
  mutable std::map<std::string, std::shared_ptr<const NetworkModel>> read_;
};

}  // namespace vgsim::training
