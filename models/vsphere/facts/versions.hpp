#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/facts/cited.hpp"
#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere {

/// A limit with where it is stated.
template <class T>
struct Limit {
  T value{};
  Citation source;
};

/// What one VM may have; nothing where no source states the limit.
struct Limits {
  std::optional<Limit<std::int64_t>> hardware_version;  ///< the newest
  std::optional<Limit<std::int64_t>> passthrough_devices;
  std::optional<Limit<std::int64_t>> vgpus;
  std::optional<Limit<std::int64_t>> vcpus;
  std::optional<Limit<std::int64_t>> pvrdma;
  std::optional<Limit<Bytes>> memory;
};

/// The known versions of vSphere, oldest first.
class Versions {
 public:
  /// The words that a scenario may use.
  [[nodiscard]] static const std::vector<std::string>& words();

  /// Limits of a version, which must be one of words().
  [[nodiscard]] const Limits& limits(std::string_view version) const;
  /// Whether a version has a feature. Throws std::out_of_range for a feature that is not listed.
  [[nodiscard]] bool has(std::string_view version, std::string_view feature) const;
  /// The version that a feature came with.
  [[nodiscard]] const std::string& since(std::string_view feature) const;
  /// The virtual hardware that it needs, where that is stated.
  [[nodiscard]] std::optional<std::int64_t> hardware_for(std::string_view feature) const;

  /// Reads `configs/vsphere/versions.json`.
  [[nodiscard]] static tl::expected<Versions, input::Diagnostics> read(
      const input::SourcePtr& file);
  [[nodiscard]] static input::Shape shape();

 private:
  struct Feature {
    std::string since;
    std::optional<std::int64_t> hardware_version;
  };
  std::map<std::string, Limits, std::less<>> limits_;
  std::map<std::string, Feature, std::less<>> features_;
};

/// Whether version `a` is older than `b`; both must be of Versions::words().
[[nodiscard]] bool is_older(std::string_view a, std::string_view b);

}  // namespace vgsim::vsphere
