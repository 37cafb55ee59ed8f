#include "models/calibration/parameters.hpp"

#include <fmt/core.h>

#include <stdexcept>

#include "topology/catalog/catalog.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/gpu_generation.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::calibration {
namespace {

using namespace input;

enum class Unit { kTime, kBytes, kRate, kCount, kNumber };

/// Adds those that exist for each protocol over each transport, and for each generation of GPUs.
std::map<std::string, Unit> with_families(std::map<std::string, Unit> table) {
  const auto protocols = {"ll", "ll128", "simple"};
  for (const char* transport : {"nvlink", "pcie", "pcie_root", "host_memory", "rdma", "staged_rdma",
                                "tcp", "efa", "tcpx", "libfabric"}) {
    for (const char* protocol : protocols) {
      table.emplace(fmt::format("{}_{}_step_latency", transport, protocol), Unit::kTime);
    }
  }
  for (const char* joined : {"nvlink", "pcie", "network"}) {
    for (const char* part : {"latency", "rate"}) {
      for (const char* end : {"low", "high"}) {
        table.emplace(fmt::format("{}_{}_spread_{}", joined, part, end), Unit::kNumber);
      }
    }
  }
  for (const std::string_view generation : topology::kGpuGenerationWords) {
    table.emplace(fmt::format("{}_matrix_share", generation), Unit::kNumber);
    for (const int version : {1, 2, 3}) {
      table.emplace(fmt::format("{}_flash_{}_share", generation, version), Unit::kNumber);
    }
    table.emplace(fmt::format("{}_nvls_latency", generation), Unit::kTime);
    table.emplace(fmt::format("{}_nvls_share", generation), Unit::kNumber);
    table.emplace(fmt::format("{}_peer_share", generation), Unit::kNumber);
    table.emplace(fmt::format("{}_nvls_tree_share", generation), Unit::kNumber);
    table.emplace(fmt::format("{}_copy_rate", generation), Unit::kRate);
    table.emplace(fmt::format("{}_nvls_channel_rate", generation), Unit::kRate);
    table.emplace(fmt::format("{}_staged_copy_rate", generation), Unit::kRate);
    for (const char* protocol : protocols) {
      table.emplace(fmt::format("{}_{}_channel_rate", generation, protocol), Unit::kRate);
    }
  }
  return table;
}

/// Every parameter that some model reads.
const std::map<std::string, Unit>& declared() {
  static const std::map<std::string, Unit> table = with_families({
      {"adam_bytes_per_parameter", Unit::kBytes},
      {"backward_to_forward_flops", Unit::kCount},
      {"ddp_bucket_cap", Unit::kBytes},
      {"horovod_fusion_threshold", Unit::kBytes},
      {"ddp_first_bucket", Unit::kBytes},
      {"busy_cores_per_gpu", Unit::kNumber},
      {"cores_per_socket", Unit::kCount},
      {"device_memory_share", Unit::kNumber},
      {"framework_memory", Unit::kBytes},
      {"gpu_busy_power_share", Unit::kNumber},
      {"gpu_hours_between_failures", Unit::kNumber},
      {"gpu_idle_power_share", Unit::kNumber},
      {"host_power_watts", Unit::kNumber},
      {"multiprocessors_per_channel", Unit::kNumber},
      {"gpu_decode_core_share", Unit::kNumber},
      {"gpu_decode_time", Unit::kTime},
      {"iommu_copy_share", Unit::kNumber},
      {"pvrdma_latency", Unit::kTime},
      {"pvrdma_share", Unit::kNumber},
      {"remote_call_latency", Unit::kTime},
      {"remote_calls_per_step", Unit::kCount},
      {"sriov_latency", Unit::kTime},
      {"sriov_share", Unit::kNumber},
      {"tcp_cores_per_gbit", Unit::kNumber},
      {"virtual_switch_cores_per_gbit", Unit::kNumber},
      {"vmxnet3_latency", Unit::kTime},
      {"vmxnet3_reported_rate", Unit::kRate},
      {"lamb_bytes_per_parameter", Unit::kBytes},
      {"kernel_gap", Unit::kTime},
      {"kernel_launch_interval", Unit::kTime},
      {"matrix_product_overhead", Unit::kTime},
      {"overlap_slowdown_between_hosts", Unit::kNumber},
      {"step_jitter", Unit::kNumber},
      {"launch_latency", Unit::kTime},
      {"in_network_reduction_latency", Unit::kTime},
      {"in_network_reduction_share", Unit::kNumber},
      {"peer_call_latency", Unit::kTime},
      {"prefetched_batches", Unit::kCount},
      {"sgd_bytes_per_parameter", Unit::kBytes},
      {"storage_read_rate", Unit::kRate},
      {"achieved_share_factor", Unit::kNumber},
      {"memory_rate_factor", Unit::kNumber},
      {"nic_rate_factor", Unit::kNumber},
      {"nvlink_rate_factor", Unit::kNumber},
      {"pcie_rate_factor", Unit::kNumber},
      {"socket_link_rate_factor", Unit::kNumber},
      {"tcp_channel_rate", Unit::kRate},
      {"traffic_per_kept_byte", Unit::kNumber},
      {"vgpu_compute_share", Unit::kNumber},
      {"passthrough_compute_share", Unit::kNumber},
      {"mig_compute_share", Unit::kNumber},
      {"vgpu_slice_compute_share", Unit::kNumber},
      {"stun_constant_6_7", Unit::kTime},
      {"stun_constant_7_0", Unit::kTime},
      {"stun_line_share_6_7", Unit::kNumber},
      {"stun_line_share_7_0", Unit::kNumber},
      {"vmotion_channel_limit", Unit::kRate},
      {"ha_restart_time", Unit::kTime},
  });
  return table;
}

Shape value_shape(Unit unit) {
  switch (unit) {
    case Unit::kTime:
      return time_shape();
    case Unit::kBytes:
      return bytes_shape();
    case Unit::kRate:
      return rate_shape(BytesPerSecond{1});
    case Unit::kCount:
      return count_shape(1);
    case Unit::kNumber:
      return number_shape(0.0);
  }
  throw std::logic_error("unit of a parameter");
}

Shape entry_shape(const Shape& value) {
  return object_shape({
      field("meaning", string_shape()).required().describe("what the number is, in words"),
      field("value", value).required(),
      field("low", value).describe("low end of the spread"),
      field("high", value).describe("high end of the spread"),
      field("source", name_shape()).required().describe("key of the file's sources"),
      field("note", string_shape()),
  });
}

std::vector<std::string> declared_names() {
  std::vector<std::string> names;
  for (const auto& [name, unit] : declared()) names.push_back(name);
  return names;
}

}  // namespace

Shape parameter_values_shape() {
  std::vector<Field> fields;
  for (const auto& [name, unit] : declared()) {
    fields.push_back(field(name, entry_shape(value_shape(unit))));
  }
  return object_shape(fields);
}

Shape parameters_shape() {
  return object_shape({
      field("sources", topology::sources_shape()).required(),
      field("parameters", parameter_values_shape()).required(),
  });
}

Uncertain read_uncertain(const std::string& name, const Value& entry) {
  const Unit unit = declared().at(name);
  const auto amount = [&](const char* key) {
    const auto value = find(entry, key);
    if (!value) return 0.0;
    if (unit == Unit::kTime) return static_cast<double>(as_time(*value).count());
    if (unit == Unit::kRate) return static_cast<double>(as_rate(*value).count());
    return value->number();
  };
  return {amount("value"), amount("low"), amount("high")};
}

std::string in_words(const std::string& name, double amount) {
  switch (declared().at(name)) {
    case Unit::kTime:
      return fmt::format("{:.0f} ps", amount);
    case Unit::kRate:
      return fmt::format("{:.0f} B/s", amount);
    default:
      return fmt::format("{}", amount);
  }
}

tl::expected<Parameters, Diagnostics> Parameters::read(const std::vector<SourcePtr>& files) {
  Parameters parameters;
  Diagnostics diagnostics;
  for (const SourcePtr& file : files) {
    const auto document = read_json(file);
    if (!document) {
      diagnostics.append(document.error());
      continue;
    }
    Diagnostics found;
    check(*document, parameters_shape(), found);
    diagnostics.append(found);
    if (found.has_errors()) continue;
    const Value sources = *find(*document, "sources");
    for (const auto& [name, key, value] : find(*document, "parameters")->members()) {
      const Value source = *find(value, "source");
      if (sources.member(as_string(source)) == nullptr) {
        diagnostics.error("E401", source.location(), source.pointer(),
                          fmt::format("unknown source \"{}\"", as_string(source)),
                          "a key of \"sources\" in the same file");
      }
      if (!parameters.values_.emplace(name, value).second) {
        diagnostics.error("E421", key, value.pointer(),
                          fmt::format("parameter \"{}\" is given twice", name));
      }
      parameters.sources_[name] = topology::describe_source(sources, as_string(source));
    }
  }
  for (const std::string& name : declared_names()) {
    if (diagnostics.has_errors() || parameters.values_.contains(name)) continue;
    diagnostics.error("E422", {}, "", fmt::format("no parameter file gives \"{}\"", name));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return parameters;
}

const Value& Parameters::value_of(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error("undeclared parameter " + name);
  if (used_) used_->add(name);
  return found->second.member("value")->value;
}

SimTime Parameters::time(const std::string& name) const { return as_time(value_of(name)); }
Bytes Parameters::bytes(const std::string& name) const { return as_bytes(value_of(name)); }
BytesPerSecond Parameters::rate(const std::string& name) const { return as_rate(value_of(name)); }
std::int64_t Parameters::count(const std::string& name) const { return as_count(value_of(name)); }
double Parameters::number(const std::string& name) const { return as_double(value_of(name)); }

std::optional<Uncertain> Parameters::uncertain(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error("undeclared parameter " + name);
  const Unit unit = declared().at(name);
  if (unit == Unit::kBytes || unit == Unit::kCount) return std::nullopt;
  if (!find(found->second, "low") || !find(found->second, "high")) return std::nullopt;
  return read_uncertain(name, found->second);
}

std::vector<std::string> Parameters::uncertain_names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) {
    if (uncertain(name)) names.push_back(name);
  }
  return names;
}

Parameters Parameters::with(const std::map<std::string, Uncertain>& others,
                            const std::string& source) const {
  Parameters changed = *this;
  for (const auto& [name, quantity] : others) {
    const Unit unit = declared().at(name);
    const auto written = [&, &parameter = name](double amount) {
      return unit == Unit::kNumber ? Value::make_number(amount)
                                   : Value::make_string(in_words(parameter, amount));
    };
    std::vector<Member> members{{"meaning", {}, Value::make_string(meaning(name))},
                                {"value", {}, written(quantity.value)}};
    if (quantity.high > 0) {
      members.push_back({"low", {}, written(quantity.low)});
      members.push_back({"high", {}, written(quantity.high)});
    }
    changed.values_[name] = Value::make_object(std::move(members));
    changed.sources_[name] = source;
  }
  return changed;
}

Parameters Parameters::noting(std::shared_ptr<UsedParameters> used) const {
  Parameters noting = *this;
  noting.used_ = std::move(used);
  return noting;
}

std::string Parameters::meaning(const std::string& name) const {
  return as_string(*find(values_.at(name), "meaning"));
}

std::string Parameters::describe(const std::string& name) const {
  const Value& value = value_of(name);
  const std::string written = value.is_string() ? value.string() : to_canonical_string(value);
  return fmt::format("{}: {}", written, sources_.at(name));
}

}  // namespace vgsim::calibration
