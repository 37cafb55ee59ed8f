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
#include "models/vsphere/spec/host_settings.hpp"
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

/// Limits of one VM; empty where no source states the limit.
struct Limits {
  std::optional<Limit<std::int64_t>> hardware_version;  ///< the newest
  std::optional<Limit<std::int64_t>> passthrough_devices;
  std::optional<Limit<std::int64_t>> vgpus;
  std::optional<Limit<std::int64_t>> vcpus;
  std::optional<Limit<std::int64_t>> pvrdma;
  std::optional<Limit<Bytes>> memory;
  /// Maximum stun time of vMotion for a VM without a limit.
  std::optional<Limit<SimTime>> stun;
};

/// The releases of the vGPU software that a version of vSphere works with, where a source states
/// them.
struct VgpuReleases {
  std::optional<DriverRelease> from;
  std::optional<DriverRelease> to;
  Citation source;
};

/// A branch of the vGPU software: all releases with the same first number.
struct VgpuBranch {
  bool long_term = false;  ///< with long-term support
  std::string ended;       ///< month of its last release, "2023-10"; empty while it goes on
  Citation source;
};

/// The known versions of vSphere, oldest first.
class Versions {
 public:
  /// The words that a scenario may use.
  [[nodiscard]] static const std::vector<std::string>& words();

  /// Limits of a version, which must be one of words().
  [[nodiscard]] const Limits& limits(std::string_view version) const;
  /// Limits that virtual hardware of that number sets; nullptr for one that no source names.
  [[nodiscard]] const Limits* hardware(std::int64_t number) const;
  /// The releases of the vGPU software that the version works with.
  [[nodiscard]] const VgpuReleases& vgpu_releases(std::string_view version) const;
  /// The day on which the version came out, "2022-10-11"; empty if no source states it.
  [[nodiscard]] const std::string& date(std::string_view version) const;
  /// Nullptr for one that no source names.
  [[nodiscard]] const VgpuBranch* branch(std::int64_t number) const;
  /// The last branch with long-term support before this one.
  [[nodiscard]] std::optional<std::int64_t> long_term_before(std::int64_t branch) const;
  /// Whether NVIDIA supports vGPU on that server of the catalogue.
  [[nodiscard]] bool takes_vgpu(std::string_view server) const;
  /// Whether ESXi runs on hosts with that CPU of the catalogue.
  [[nodiscard]] bool runs_on(std::string_view cpu) const;
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
  struct Version {
    Limits limits;
    std::string date;
    VgpuReleases vgpu;
  };
  [[nodiscard]] const Version& at(std::string_view version) const;

  std::map<std::string, Version, std::less<>> versions_;
  std::map<std::int64_t, Limits> hardware_;
  std::map<std::int64_t, VgpuBranch> branches_;
  std::vector<std::string> servers_without_vgpu_;
  std::vector<std::string> cpus_without_esx_;
  std::map<std::string, Feature, std::less<>> features_;
};

/// Whether version `a` is older than `b`; both must be of Versions::words().
[[nodiscard]] bool is_older(std::string_view a, std::string_view b);

}  // namespace vgsim::vsphere
