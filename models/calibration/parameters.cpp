#include "models/calibration/parameters.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "topology/graph/gpu_generation.hpp"

namespace vgsim::calibration {
namespace {

/// Adds the parameters that exist for each protocol and transport, and for each GPU generation.
std::map<std::string, ParameterUnit> with_families(std::map<std::string, ParameterUnit> table) {
  const auto protocols = {"ll", "ll128", "simple"};
  for (const char* transport : {"nvlink", "pcie", "pcie_root", "host_memory", "rdma", "staged_rdma",
                                "tcp", "efa", "tcpx", "tcpxo", "libfabric"}) {
    for (const char* protocol : protocols) {
      const auto name = fmt::format("{}_{}_step_latency", transport, protocol);
      if (name != "nvlink_ll_step_latency") table.emplace(name, ParameterUnit::kTime);  // see below
    }
    for (const char* part : {"latency", "middle", "rate"}) {
      table.emplace(fmt::format("{}_{}_spread", transport, part), ParameterUnit::kNumber);
    }
  }
  for (const char* kind : {"data_parallel", "sharded", "split"}) {
    table.emplace(fmt::format("{}_model_error", kind), ParameterUnit::kNumber);
    table.emplace(fmt::format("{}_anchored_model_error", kind), ParameterUnit::kNumber);
  }
  for (const std::string_view generation : topology::kGpuGenerationWords) {
    table.emplace(fmt::format("{}_product_share", generation), ParameterUnit::kNumber);
    for (const int version : {1, 2, 3}) {
      table.emplace(fmt::format("{}_flash_{}_share", generation, version), ParameterUnit::kNumber);
    }
    table.emplace(fmt::format("{}_launch_latency", generation), ParameterUnit::kTime);
    table.emplace(fmt::format("{}_nvlink_ll_step_latency", generation), ParameterUnit::kTime);
    table.emplace(fmt::format("{}_nvls_latency", generation), ParameterUnit::kTime);
    table.emplace(fmt::format("{}_nvls_share", generation), ParameterUnit::kNumber);
    table.emplace(fmt::format("{}_peer_share", generation), ParameterUnit::kNumber);
    table.emplace(fmt::format("{}_nvls_tree_share", generation), ParameterUnit::kNumber);
    table.emplace(fmt::format("{}_copy_rate", generation), ParameterUnit::kRate);
    table.emplace(fmt::format("{}_nvls_channel_rate", generation), ParameterUnit::kRate);
    table.emplace(fmt::format("{}_staged_read_rate", generation), ParameterUnit::kRate);
    table.emplace(fmt::format("{}_own_copy_rate", generation), ParameterUnit::kRate);
    table.emplace(fmt::format("{}_bulk_latency", generation), ParameterUnit::kTime);
    table.emplace(fmt::format("{}_nvls_turnaround", generation), ParameterUnit::kTime);
    for (const char* protocol : protocols) {
      table.emplace(fmt::format("{}_{}_channel_rate", generation, protocol), ParameterUnit::kRate);
    }
  }
  return table;
}

}  // namespace

const std::map<std::string, ParameterUnit>& declared_parameters() {
  static const std::map<std::string, ParameterUnit> table = with_families({
      {"adam_bytes_per_parameter", ParameterUnit::kBytes},
      {"backward_to_forward_flops", ParameterUnit::kCount},
      {"ddp_bucket_cap", ParameterUnit::kBytes},
      {"horovod_fusion_threshold", ParameterUnit::kBytes},
      {"ddp_first_bucket", ParameterUnit::kBytes},
      {"busy_cores_per_gpu", ParameterUnit::kNumber},
      {"cores_per_socket", ParameterUnit::kCount},
      {"device_memory_share", ParameterUnit::kNumber},
      {"framework_memory", ParameterUnit::kBytes},
      {"communicator_memory", ParameterUnit::kBytes},
      {"allocator_cache", ParameterUnit::kNumber},
      {"gpu_busy_power_share", ParameterUnit::kNumber},
      {"gpu_hours_between_failures", ParameterUnit::kNumber},
      {"gpu_idle_power_share", ParameterUnit::kNumber},
      {"host_power_watts", ParameterUnit::kNumber},
      {"multiprocessors_per_channel", ParameterUnit::kNumber},
      {"traffic_per_gradient_byte", ParameterUnit::kNumber},
      {"gpu_decode_core_share", ParameterUnit::kNumber},
      {"gpu_decode_time", ParameterUnit::kTime},
      {"iommu_copy_share", ParameterUnit::kNumber},
      {"remote_copy_share", ParameterUnit::kNumber},
      {"remote_copy_share_gen3", ParameterUnit::kNumber},
      {"remote_launch_delay", ParameterUnit::kTime},
      {"remote_memory_work_factor", ParameterUnit::kNumber},
      {"second_thread_share", ParameterUnit::kNumber},
      {"datastore_cores_per_gbit", ParameterUnit::kNumber},
      {"enhanced_directpath_latency", ParameterUnit::kTime},
      {"enhanced_directpath_share", ParameterUnit::kNumber},
      {"pvrdma_latency", ParameterUnit::kTime},
      {"pvrdma_share", ParameterUnit::kNumber},
      {"remote_call_latency", ParameterUnit::kTime},
      {"remote_calls_per_step", ParameterUnit::kCount},
      {"sriov_latency", ParameterUnit::kTime},
      {"sriov_share", ParameterUnit::kNumber},
      {"tcp_connection_rate", ParameterUnit::kRate},
      {"tcp_cores_per_gbit", ParameterUnit::kNumber},
      {"tcp_port_rate_factor", ParameterUnit::kNumber},
      {"virtual_switch_cores_per_gbit", ParameterUnit::kNumber},
      {"vmxnet3_adapter_rate", ParameterUnit::kRate},
      {"vmxnet3_connection_rate", ParameterUnit::kRate},
      {"vmxnet3_latency", ParameterUnit::kTime},
      {"vmxnet3_reported_rate", ParameterUnit::kRate},
      {"lamb_bytes_per_parameter", ParameterUnit::kBytes},
      {"kernel_gap", ParameterUnit::kTime},
      {"kernel_launch_interval", ParameterUnit::kTime},
      {"launch_interval_rating", ParameterUnit::kNumber},
      {"fp8_attention_speed", ParameterUnit::kNumber},
      {"overlap_slowdown_between_hosts", ParameterUnit::kNumber},
      {"step_jitter", ParameterUnit::kNumber},
      {"thread_launch_time", ParameterUnit::kTime},
      {"thread_channel_time", ParameterUnit::kTime},
      {"thread_peer_time", ParameterUnit::kTime},
      {"in_network_reduction_latency", ParameterUnit::kTime},
      {"efa_staged_read_factor", ParameterUnit::kNumber},
      {"in_network_reduction_share", ParameterUnit::kNumber},
      {"peer_call_latency", ParameterUnit::kTime},
      {"prefetched_batches", ParameterUnit::kCount},
      {"sgd_bytes_per_parameter", ParameterUnit::kBytes},
      {"storage_read_rate", ParameterUnit::kRate},
      {"layer_share", ParameterUnit::kNumber},
      {"fp32_layer_share", ParameterUnit::kNumber},
      {"usual_software_share", ParameterUnit::kNumber},
      {"memory_rate_factor", ParameterUnit::kNumber},
      {"nic_rate_factor", ParameterUnit::kNumber},
      {"nvlink_rate_factor", ParameterUnit::kNumber},
      {"pcie_rate_factor", ParameterUnit::kNumber},
      {"socket_link_rate_factor", ParameterUnit::kNumber},
      {"tcp_channel_rate", ParameterUnit::kRate},
      {"tcp_message_time", ParameterUnit::kTime},
      {"traffic_per_kept_byte", ParameterUnit::kNumber},
      {"unfused_traffic_per_kept_byte", ParameterUnit::kNumber},
      {"vgpu_compute_share", ParameterUnit::kNumber},
      {"passthrough_compute_share", ParameterUnit::kNumber},
      {"mig_compute_share", ParameterUnit::kNumber},
      {"mig_neighbour_share", ParameterUnit::kNumber},
      {"unmeasured_gpu_spread", ParameterUnit::kNumber},
      {"virtual_machine_model_error", ParameterUnit::kNumber},
      {"mig_model_error", ParameterUnit::kNumber},
      {"time_slice_model_error", ParameterUnit::kNumber},
      {"model_error_gpu_share", ParameterUnit::kNumber},
      {"model_error_memory_share", ParameterUnit::kNumber},
      {"model_error_plan_share", ParameterUnit::kNumber},
      {"model_error_scale_share", ParameterUnit::kNumber},
      {"mig_error_common_share", ParameterUnit::kNumber},
      {"time_slice_error_common_share", ParameterUnit::kNumber},
      {"vgpu_switch_time", ParameterUnit::kTime},
      {"neighbour_burst", ParameterUnit::kTime},
      {"memory_bound_share", ParameterUnit::kNumber},
      {"unscaled_share", ParameterUnit::kNumber},
      {"collective_time_out", ParameterUnit::kTime},
      {"rdma_give_up_time", ParameterUnit::kTime},
      {"stun_constant_6_7", ParameterUnit::kTime},
      {"stun_constant_7_0", ParameterUnit::kTime},
      {"stun_constant_p40", ParameterUnit::kTime},
      {"stun_estimate_constant", ParameterUnit::kTime},
      {"stun_estimate_line_share", ParameterUnit::kNumber},
      {"stun_estimate_memory_share", ParameterUnit::kNumber},
      {"stun_line_share_6_7", ParameterUnit::kNumber},
      {"stun_line_share_7_0", ParameterUnit::kNumber},
      {"stun_line_share_p40", ParameterUnit::kNumber},
      {"stun_other_gpu_factor", ParameterUnit::kNumber},
      {"vmotion_time_out_6_7", ParameterUnit::kTime},
      {"vmotion_channel_limit", ParameterUnit::kRate},
      {"ha_restart_time", ParameterUnit::kTime},
      {"product_math_share", ParameterUnit::kNumber},
      {"product_load_rate", ParameterUnit::kRate},
      {"product_cache_rate", ParameterUnit::kRate},
      {"product_memory_share", ParameterUnit::kNumber},
      {"product_cache_reach", ParameterUnit::kNumber},
      {"product_reread", ParameterUnit::kNumber},
      {"product_split_time", ParameterUnit::kTime},
      {"product_usual_weight", ParameterUnit::kNumber},
      {"in_turn_product_start", ParameterUnit::kTime},
      {"in_turn_tile_end", ParameterUnit::kTime},
      {"overlapped_product_start", ParameterUnit::kTime},
      {"overlapped_tile_end", ParameterUnit::kTime},
      {"overlapped_whole_rounds", ParameterUnit::kNumber},
      {"ampere_fp16_sustained_share", ParameterUnit::kNumber},
      {"ada_fp16_sustained_share", ParameterUnit::kNumber},
      {"hopper_fp16_sustained_share", ParameterUnit::kNumber},
      {"hopper_fp8_sustained_share", ParameterUnit::kNumber},
      {"blackwell_fp16_sustained_share", ParameterUnit::kNumber},
      {"blackwell_fp8_sustained_share", ParameterUnit::kNumber},
      {"blackwell_nvfp4_sustained_share", ParameterUnit::kNumber},
      {"workstation_blackwell_fp16_sustained_share", ParameterUnit::kNumber},
      {"workstation_blackwell_fp8_sustained_share", ParameterUnit::kNumber},
      {"sustained_share_at_a_watt", ParameterUnit::kNumber},
      {"sustained_share_power", ParameterUnit::kNumber},
      {"ada_quantize_start", ParameterUnit::kTime},
      {"ada_quantize_operand_bytes", ParameterUnit::kNumber},
      {"ada_quantize_result_bytes", ParameterUnit::kNumber},
      {"hopper_quantize_start", ParameterUnit::kTime},
      {"hopper_quantize_operand_bytes", ParameterUnit::kNumber},
      {"hopper_quantize_result_bytes", ParameterUnit::kNumber},
      {"blackwell_quantize_start", ParameterUnit::kTime},
      {"blackwell_quantize_operand_bytes", ParameterUnit::kNumber},
      {"blackwell_quantize_result_bytes", ParameterUnit::kNumber},
      {"grace_blackwell_quantize_start", ParameterUnit::kTime},
      {"grace_blackwell_quantize_operand_bytes", ParameterUnit::kNumber},
      {"grace_blackwell_quantize_result_bytes", ParameterUnit::kNumber},
      {"workstation_blackwell_quantize_start", ParameterUnit::kTime},
      {"workstation_blackwell_quantize_operand_bytes", ParameterUnit::kNumber},
      {"workstation_blackwell_quantize_result_bytes", ParameterUnit::kNumber},
      {"ampere_attention_share", ParameterUnit::kNumber},
      {"ada_attention_share", ParameterUnit::kNumber},
      {"hopper_attention_share", ParameterUnit::kNumber},
      {"blackwell_attention_share", ParameterUnit::kNumber},
      {"ampere_attention_start", ParameterUnit::kTime},
      {"ada_attention_start", ParameterUnit::kTime},
      {"hopper_attention_start", ParameterUnit::kTime},
      {"blackwell_attention_start", ParameterUnit::kTime},
      {"attention_start", ParameterUnit::kTime},
      {"attention_share", ParameterUnit::kNumber},
      {"attention_tile", ParameterUnit::kTime},
      {"attention_tail", ParameterUnit::kNumber},
      {"attention_exponentials", ParameterUnit::kNumber},
  });
  return table;
}

namespace {
constexpr std::string_view kModelError = "_model_error";
constexpr std::string_view kFormerModelError = "_misfit";
}  // namespace

std::optional<std::string> former_name(const std::string& parameter) {
  if (!parameter.ends_with(kModelError)) return std::nullopt;
  return parameter.substr(0, parameter.size() - kModelError.size()) +
         std::string(kFormerModelError);
}

std::string current_name(const std::string& written) {
  if (!written.ends_with(kFormerModelError)) return written;
  return written.substr(0, written.size() - kFormerModelError.size()) + std::string(kModelError);
}

std::string in_words(const std::string& name, double amount) {
  switch (declared_parameters().at(name)) {
    case ParameterUnit::kTime:
      return fmt::format("{} ps", static_cast<std::int64_t>(std::nearbyint(amount)));
    case ParameterUnit::kRate:
      return fmt::format("{} B/s", static_cast<std::int64_t>(std::nearbyint(amount)));
    default:
      return fmt::format("{}", amount);
  }
}

std::size_t MeasuredOn::all() const {
  std::size_t sum = 0;
  for (const auto& [architecture, number] : machines) sum += number;
  return sum;
}

const Parameter& Parameters::at(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw std::logic_error("undeclared parameter " + name);
  return *found->second;
}

const Parameter& Parameters::asked_for(const std::string& name) const {
  const Parameter& found = at(name);
  if (used_) used_->add(name);
  return found;
}

SimTime Parameters::time(const std::string& name) const { return SimTime{asked_for(name).whole}; }
Bytes Parameters::bytes(const std::string& name) const { return Bytes{asked_for(name).whole}; }
BytesPerSecond Parameters::rate(const std::string& name) const {
  return BytesPerSecond{asked_for(name).whole};
}
std::int64_t Parameters::count(const std::string& name) const { return asked_for(name).whole; }
double Parameters::number(const std::string& name) const { return asked_for(name).quantity.value; }

std::optional<Uncertain> Parameters::uncertain(const std::string& name) const {
  const Parameter& found = at(name);
  const bool exact = found.unit == ParameterUnit::kBytes || found.unit == ParameterUnit::kCount;
  return exact || !found.spreads ? std::nullopt : std::optional(found.quantity);
}

std::vector<std::string> Parameters::uncertain_names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) {
    if (uncertain(name)) names.push_back(name);
  }
  return names;
}

Parameters Parameters::with(const std::map<std::string, Uncertain>& others,
                            const std::string& source) const {
  Parameters changed = *this;
  for (const auto& [name, quantity] : others) {
    Parameter other = at(name);
    const bool whole = other.unit != ParameterUnit::kNumber;
    const auto rounded = [&](double amount) { return whole ? std::nearbyint(amount) : amount; };
    other.spreads = quantity.high > 0;
    other.quantity = {rounded(quantity.value), rounded(quantity.low), rounded(quantity.high)};
    if (!other.spreads) other.quantity.low = other.quantity.high = 0;
    other.whole = whole ? static_cast<std::int64_t>(other.quantity.value) : 0;
    other.written = in_words(name, quantity.value);
    other.low = other.spreads ? in_words(name, quantity.low) : "";
    other.high = other.spreads ? in_words(name, quantity.high) : "";
    other.source = source;
    other.note.clear();
    changed.entries_[name] = std::make_shared<const Parameter>(std::move(other));
  }
  return changed;
}

Parameters Parameters::noting(std::shared_ptr<UsedParameters> used) const {
  Parameters noting = *this;
  noting.used_ = std::move(used);
  return noting;
}

std::string Parameters::describe(const std::string& name) const {
  const Parameter& found = asked_for(name);
  return fmt::format("{}: {}", found.written, found.source);
}

bool Parameters::is_as_in(const Parameters& other, const std::string& name) const {
  const auto& mine = entries_.at(name);
  const auto& theirs = other.entries_.at(name);
  return mine == theirs ||
         (mine->quantity.value == theirs->quantity.value && mine->source == theirs->source);
}

}  // namespace vgsim::calibration
