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

/// The networks that can be trained by name. Each file is read when its network is first asked for.
class Networks {
 public:
  Networks() = default;
  /// Files by the names of their networks.
  explicit Networks(std::map<std::string, input::SourcePtr> files) : files_(std::move(files)) {}

  /// The network of that name, or of that file ("resnet.json", from `load`); nothing after a report
  /// of what is wrong.
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
  /// Of what was read: scenarios may run at the same time.
  std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
  mutable std::map<std::string, std::shared_ptr<const NetworkModel>> read_;
};

}  // namespace vgsim::training
