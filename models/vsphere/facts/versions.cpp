#include "models/vsphere/facts/versions.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/vsphere/facts/read_checked.hpp"
#include "models/vsphere/spec/host_settings_keys.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Shape limit_shape(Shape value) {
  return object_shape(
      {field("value", std::move(value)).required(), field("source", name_shape()).required()});
}

Shape limits_shape() {
  const Shape count = limit_shape(count_shape(1, 1'000'000));
  return object_shape({
      field("hardware_version", count).describe("newest virtual hardware"),
      field("passthrough_devices_per_vm", count)
          .describe("PCI devices in passthrough, GPUs, NICs and others together"),
      field("vgpus_per_vm", count),
      field("vcpus_per_vm", count),
      field("memory_per_vm", limit_shape(bytes_shape(Bytes{1}))),
      field("pvrdma_per_vm", count).describe("PVRDMA adapters"),
      field("stun_time", limit_shape(time_shape()))
          .describe("maximum stun time of vMotion for a VM without a limit"),
  });
}

/// Objects whose names are whole numbers from `first` to `last`.
Shape numbered_shape(std::int64_t first, std::int64_t last, const Shape& each) {
  std::vector<Field> fields;
  for (std::int64_t number = first; number <= last; ++number) {
    fields.push_back(field(std::to_string(number), each));
  }
  return object_shape(std::move(fields));
}

Shape vgpu_releases_shape() {
  return object_shape({
      field("from", string_shape()).describe("the first release that works with it"),
      field("to", string_shape()).describe("the last one"),
      field("source", name_shape()).required(),
  });
}

Shape branch_shape() {
  return object_shape({
      field("driver", name_shape()).required(),
      field("long_term", boolean_shape()).required().describe("a long-term support branch"),
      field("ended", string_shape()).describe("month of its last release; none if it continues"),
      field("source", name_shape()).required(),
  });
}

std::size_t order_of(std::string_view version) {
  const auto& words = Versions::words();
  const auto found = std::find(words.begin(), words.end(), version);
  if (found == words.end()) throw std::out_of_range("a version of vSphere");
  return static_cast<std::size_t>(found - words.begin());
}

Limits read_limits(const Value& value, const Citations& citations, Diagnostics& diagnostics) {
  const auto count = [&](const char* name) -> std::optional<Limit<std::int64_t>> {
    const auto limit = find(value, name);
    if (!limit) return std::nullopt;
    return Limit<std::int64_t>{as_count(*find(*limit, "value")),
                               citations.of(*find(*limit, "source"), diagnostics)};
  };
  Limits limits;
  limits.hardware_version = count("hardware_version");
  limits.passthrough_devices = count("passthrough_devices_per_vm");
  limits.vgpus = count("vgpus_per_vm");
  limits.vcpus = count("vcpus_per_vm");
  limits.pvrdma = count("pvrdma_per_vm");
  if (const auto memory = find(value, "memory_per_vm")) {
    limits.memory = Limit<Bytes>{as_bytes(*find(*memory, "value")),
                                 citations.of(*find(*memory, "source"), diagnostics)};
  }
  if (const auto stun = find(value, "stun_time")) {
    limits.stun = Limit<SimTime>{as_time(*find(*stun, "value")),
                                 citations.of(*find(*stun, "source"), diagnostics)};
  }
  return limits;
}

std::optional<DriverRelease> read_release(const Value& value, const char* name,
                                          Diagnostics& diagnostics) {
  const auto found = find(value, name);
  if (!found) return std::nullopt;
  const auto release = parse_driver_release(as_string(*found));
  if (!release) {
    diagnostics.error("E401", found->location(), found->pointer(),
                      "not a release of the vGPU software", "such as \"15.2\"");
  }
  return release;
}

VgpuReleases read_vgpu_releases(const Value& version, const Citations& citations,
                                Diagnostics& diagnostics) {
  const auto found = find(version, "vgpu");
  if (!found) return {};
  return {read_release(*found, "from", diagnostics), read_release(*found, "to", diagnostics),
          citations.of(*find(*found, "source"), diagnostics)};
}

/// The names of an object like { "servers": [...], "source": ... }.
std::vector<std::string> read_names(const Value& object, const char* name,
                                    const Citations& citations, Diagnostics& diagnostics) {
  static_cast<void>(citations.of(*find(object, "source"), diagnostics));
  std::vector<std::string> names;
  for (const Value& each : find(object, name)->elements()) names.push_back(as_string(each));
  return names;
}

Shape names_shape(const char* name) {
  return object_shape({
      field(name, array_shape(name_shape(), 1)).required(),
      field("source", name_shape()).required(),
  });
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string text_or_none(const Value& value, const char* name) {
  const auto found = find(value, name);
  return found ? as_string(*found) : std::string();
}

}  // namespace

const std::vector<std::string>& Versions::words() {
  static const std::vector<std::string> words{"6.7",   "6.7U1", "6.7U2", "6.7U3", "7.0",   "7.0U1",
                                              "7.0U2", "7.0U3", "8.0",   "8.0U1", "8.0U2", "8.0U3",
                                              "9.0",   "9.0.1", "9.0.2", "9.1"};
  return words;
}

bool is_older(std::string_view a, std::string_view b) { return order_of(a) < order_of(b); }

const Versions::Version& Versions::at(std::string_view version) const {
  const auto found = versions_.find(version);
  if (found == versions_.end()) throw std::out_of_range("a version of vSphere");
  return found->second;
}

const Limits& Versions::limits(std::string_view version) const { return at(version).limits; }

const Limits* Versions::hardware(std::int64_t number) const {
  const auto found = hardware_.find(number);
  return found == hardware_.end() ? nullptr : &found->second;
}

const VgpuReleases& Versions::vgpu_releases(std::string_view version) const {
  return at(version).vgpu;
}

const std::string& Versions::date(std::string_view version) const { return at(version).date; }

const VgpuBranch* Versions::branch(std::int64_t number) const {
  const auto found = branches_.find(number);
  return found == branches_.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> Versions::long_term_before(std::int64_t branch) const {
  std::optional<std::int64_t> last;
  for (const auto& [number, each] : branches_) {
    if (number < branch && each.long_term) last = number;
  }
  return last;
}

bool Versions::takes_vgpu(std::string_view server) const {
  return !contains(servers_without_vgpu_, server);
}

bool Versions::runs_on(std::string_view cpu) const { return !contains(cpus_without_esx_, cpu); }

bool Versions::has(std::string_view version, std::string_view feature) const {
  return !is_older(version, since(feature));
}

const std::string& Versions::since(std::string_view feature) const {
  const auto found = features_.find(feature);
  if (found == features_.end()) throw std::out_of_range("a feature of vSphere");
  return found->second.since;
}

std::optional<std::int64_t> Versions::hardware_for(std::string_view feature) const {
  const auto found = features_.find(feature);
  if (found == features_.end()) throw std::out_of_range("a feature of vSphere");
  return found->second.hardware_version;
}

Shape Versions::shape() {
  std::vector<Field> versions;
  for (const std::string& word : words()) {
    versions.push_back(
        field(word, object_shape({
                        field("date", string_shape()).describe("day of its release"),
                        field("date_source", name_shape()),
                        field("limits", limits_shape()).required(),
                        field("vgpu", vgpu_releases_shape())
                            .describe("releases of the vGPU software that it works with"),
                    }))
            .required());
  }
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-versions/1"})).required(),
      field("sources", citations_shape()).required(),
      field("versions", object_shape(versions)).required(),
      field("hardware", numbered_shape(4, 40, limits_shape()))
          .required()
          .describe("limits by virtual hardware; a VM has the smaller of these and its version's"),
      field("vgpu_branches", numbered_shape(1, 60, branch_shape())).required(),
      field("without_vgpu", names_shape("servers"))
          .required()
          .describe("servers of the catalogue on which NVIDIA does not support vGPU"),
      field("without_esx", names_shape("cpus"))
          .required()
          .describe("CPUs of the catalogue that ESXi does not run on"),
      field("features", map_shape("feature", object_shape({
                                                 field("since", enum_shape(words())).required(),
                                                 field("hardware_version", count_shape(1, 1000)),
                                                 field("title", string_shape()).required(),
                                                 field("source", name_shape()).required(),
                                             })))
          .required(),
  });
}

tl::expected<Versions, Diagnostics> Versions::read(const SourcePtr& file) {
  const auto document = read_checked(file, shape);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  const Citations citations(*find(*document, "sources"));
  Versions versions;
  for (const auto& [name, key, value] : find(*document, "versions")->members()) {
    if (const auto source = find(value, "date_source")) {
      static_cast<void>(citations.of(*source, diagnostics));
    }
    versions.versions_.emplace(
        name,
        Version{read_limits(*find(value, "limits"), citations, diagnostics),
                text_or_none(value, "date"), read_vgpu_releases(value, citations, diagnostics)});
  }
  for (const auto& [number, key, value] : find(*document, "hardware")->members()) {
    versions.hardware_.emplace(std::stoll(number), read_limits(value, citations, diagnostics));
  }
  for (const auto& [number, key, value] : find(*document, "vgpu_branches")->members()) {
    versions.branches_.emplace(
        std::stoll(number),
        VgpuBranch{as_bool(*find(value, "long_term")), text_or_none(value, "ended"),
                   citations.of(*find(value, "source"), diagnostics)});
  }
  versions.servers_without_vgpu_ =
      read_names(*find(*document, "without_vgpu"), "servers", citations, diagnostics);
  versions.cpus_without_esx_ =
      read_names(*find(*document, "without_esx"), "cpus", citations, diagnostics);
  for (const auto& [name, key, value] : find(*document, "features")->members()) {
    static_cast<void>(citations.of(*find(value, "source"), diagnostics));
    Feature feature{as_string(*find(value, "since")), std::nullopt};
    if (const auto hardware = find(value, "hardware_version")) {
      feature.hardware_version = as_count(*hardware);
    }
    versions.features_.emplace(name, std::move(feature));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return versions;
}

}  // namespace vgsim::vsphere
