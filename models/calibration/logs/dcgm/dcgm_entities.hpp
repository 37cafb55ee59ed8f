#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/calibration/logs/dcgm/dcgm_fields.hpp"
#include "models/calibration/logs/dcgm/dcgm_metrics.hpp"

namespace vgsim::calibration::logs::dcgm {

/// Collects the samples of each GPU.
class Entities {
 public:
  /// The entity without its metrics; missing properties of a known entity are added.
  std::size_t tell(const DcgmEntity& entity);

  void tell(std::size_t entity, const Field& field, double value);

  /// A field that is not used.
  void tell_unused(std::string_view name);

  /// The entities with metrics.
  [[nodiscard]] DcgmMetrics all();

 private:
  using Key = std::tuple<std::string, std::string, std::string>;

  DcgmMetrics metrics_;
  std::map<Key, std::size_t> known_;  ///< by host, GPU and instance
};

}  // namespace vgsim::calibration::logs::dcgm
