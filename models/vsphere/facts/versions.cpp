#include "models/vsphere/facts/versions.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/vsphere/facts/read_checked.hpp"

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
  Limits limits{count("hardware_version"), count("passthrough_devices_per_vm"),
                count("vgpus_per_vm"),     count("vcpus_per_vm"),
                count("pvrdma_per_vm"),    std::nullopt};
  if (const auto memory = find(value, "memory_per_vm")) {
    limits.memory = Limit<Bytes>{as_bytes(*find(*memory, "value")),
                                 citations.of(*find(*memory, "source"), diagnostics)};
  }
  return limits;
}

}  // namespace

const std::vector<std::string>& Versions::words() {
  static const std::vector<std::string> words{"6.7",   "6.7U1", "6.7U2", "6.7U3", "7.0",
                                              "7.0U1", "7.0U2", "7.0U3", "8.0",   "8.0U1",
                                              "8.0U2", "8.0U3", "9.0",   "9.0.1", "9.1"};
  return words;
}

bool is_older(std::string_view a, std::string_view b) { return order_of(a) < order_of(b); }

const Limits& Versions::limits(std::string_view version) const {
  return limits_.find(version)->second;
}

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
        field(word, object_shape({field("limits", limits_shape()).required()})).required());
  }
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-versions/1"})).required(),
      field("sources", citations_shape()).required(),
      field("versions", object_shape(versions)).required(),
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
    versions.limits_.emplace(name, read_limits(*find(value, "limits"), citations, diagnostics));
  }
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
