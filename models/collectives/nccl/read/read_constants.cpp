#include "models/collectives/nccl/read/read_constants.hpp"

#include <algorithm>
#include <charconv>

#include "topology/input/typed.hpp"

namespace vgsim::collectives::nccl {
namespace {

using input::as_count;
using input::as_double;
using input::as_string;
using input::find;
using input::Value;

double number(const Value& object, const char* key) { return as_double(*find(object, key)); }

double number_or(const Value& object, std::string_view key, double absent) {
  const auto value = find(object, key);
  return value ? as_double(*value) : absent;
}

std::vector<double> numbers(const Value& object, std::string_view key) {
  std::vector<double> result;
  if (const auto list = find(object, key)) {
    for (const Value& element : list->elements()) result.push_back(as_double(element));
  }
  return result;
}

void read_nvlink(const Value& links, Constants& constants) {
  for (const auto& [name, key, value] : links.members()) {
    if (name == "other") {
      constants.nvlink_default = as_double(value);
      continue;
    }
    int sm = 0;
    std::from_chars(name.data() + 2, name.data() + name.size(), sm);  // after "sm"
    constants.nvlink_per_link[sm] = as_double(value);
  }
}

void read_links(const Value& links, Constants& constants) {
  constants.local = number(links, "local");
  read_nvlink(*find(links, "nvlink"), constants);
  const Value intel = *find(links, "intel");
  constants.intel_broadwell = number(intel, "up_to_broadwell");
  constants.intel_skylake = number(intel, "skylake_to_ice_lake");
  constants.intel_sapphire_rapids = number_or(intel, "sapphire_rapids", constants.intel_skylake);
  constants.intel_emerald_rapids =
      number_or(intel, "emerald_rapids", constants.intel_sapphire_rapids);
  constants.intel_granite_rapids =
      number_or(intel, "granite_rapids", constants.intel_sapphire_rapids);
  constants.amd = number(links, "amd");
  constants.amd_zen3_4 = number_or(links, "amd_zen3_4", constants.amd);
  constants.amd_zen5 = number_or(links, "amd_zen5", constants.amd_zen3_4);
  constants.zhaoxin = number(*find(links, "zhaoxin"), "other");
  constants.zhaoxin_yongfeng = number(*find(links, "zhaoxin"), "yongfeng");
  constants.power9 = number(links, "power9");
  constants.arm = number(links, "arm");
  constants.nic_default = number(links, "nic_of_unknown_speed");
}

void read_search(const Value& search, Constants& constants) {
  const Value speeds = *find(search, "speeds");
  constants.speeds_intra = numbers(speeds, "intra");
  constants.speeds_inter = numbers(speeds, "inter");
  constants.speeds_intra_sm90 = numbers(speeds, "intra_sm90");
  constants.speeds_inter_sm90 = numbers(speeds, "inter_sm90");
  constants.speeds_intra_sm100 = numbers(speeds, "intra_sm100");
  constants.speeds_inter_sm100 = numbers(speeds, "inter_sm100");
  constants.max_channels = static_cast<int>(as_count(*find(search, "max_channels")));
  const Value steps = *find(search, "steps");
  constants.budget = {as_count(*find(steps, "search")), as_count(*find(steps, "same_channels")),
                      as_count(*find(steps, "trees")), as_count(*find(steps, "total"))};
}

std::array<ByProtocol, kAlgorithms> read_latency_table(const Value& table) {
  std::array<ByProtocol, kAlgorithms> result{};
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    const auto row = find(table, to_string(static_cast<Algorithm>(a)));
    for (std::size_t p = 0; row && p < kProtocols; ++p) {
      result[a][p] = number_or(*row, to_string(static_cast<Protocol>(p)), 0);
    }
  }
  return result;
}

void read_latencies(const Value& latencies, Constants& constants) {
  constants.base_latency = read_latency_table(*find(latencies, "base"));
  const Value step = *find(latencies, "step");
  constants.step_latency = {read_latency_table(*find(step, "nvlink")),
                            read_latency_table(*find(step, "pci")),
                            read_latency_table(*find(step, "net"))};
  constants.collnet_direct_per_peer = number(latencies, "collnetdirect_per_peer");
  if (const auto overhead = find(latencies, "network_overhead")) {
    constants.network_overhead_amd = number(*overhead, "amd");
    constants.network_overhead_other = number(*overhead, "other");
    constants.network_overhead_simple_times = number(*overhead, "simple_times");
  }
  if (const auto pat = find(latencies, "pat")) {
    constants.pat_per_rank = number(*pat, "per_rank");
    constants.pat_network_divisor = number(*pat, "network_divisor");
  }
}

/// A missing row equals the row of the previous generation.
std::array<ByNodes, kGenerations> read_rows(const Value& rows) {
  std::array<ByNodes, kGenerations> result{};
  for (std::size_t g = 0; g < kGenerations; ++g) {
    if (g > 0) result[g] = result[g - 1];
    const std::vector<double> row = numbers(rows, topology::kGpuGenerationWords[g]);
    std::copy(row.begin(), row.end(), result[g].begin());
  }
  return result;
}

void read_caps(const Value& caps, Constants& constants) {
  constants.ll_max = read_rows(*find(caps, "ll"));
  constants.tree_channel_max = read_rows(*find(caps, "tree_per_channel"));
  constants.ring_ll128_channel_max = read_rows(*find(caps, "ring_ll128_per_channel"));
  constants.tree_ll128_channel_max = read_rows(*find(caps, "tree_ll128_per_channel"));
  if (const auto rows = find(caps, "nvlstree")) constants.nvls_tree_channel_max = read_rows(*rows);
  constants.ampere_bus_max = number_or(caps, "ampere_bus", 0);
}

void read_factors(const Value& factors, Constants& constants) {
  BandwidthFactors& f = constants.factors;
  f.ring_ll = number(factors, "ring_ll");
  f.ring_ll_inside_one_node = number_or(factors, "ring_ll_inside_one_node", f.ring_ll);
  f.ring_ll128 = number(factors, "ring_ll128");
  f.ring_ll128_one_gpu_nodes = number_or(factors, "ring_ll128_one_gpu_nodes", 0);
  f.tree = number(factors, "tree");
  f.tree_ll = number(factors, "tree_ll");
  f.tree_ll128 = number(factors, "tree_ll128");
  f.tree_ll128_one_node = number(factors, "tree_ll128_one_node");
  f.tree_chain = number_or(factors, "tree_chain", 0);
  f.collnet_chain = number_or(factors, "collnetchain", 0);
  f.collnet_direct_sm90 = number_or(factors, "collnetdirect_sm90", 0);
  f.nvls = number_or(factors, "nvls", 0);
  f.nvls_tree = number_or(factors, "nvlstree", 0);
  f.pat = number_or(factors, "pat", 0);
  const Value plateau = *find(factors, "ring_plateau");
  f.ring_plateau_below_sm80 = number(plateau, "below_sm80");
  f.ring_plateau_from_sm80 = number(plateau, "from_sm80");
  constants.ll_inside_nodes_times = number_or(factors, "ll_inside_nodes", 1);
  if (const auto efficiency = find(factors, "nvls_efficiency")) {
    for (std::size_t g = 0; g < kGenerations; ++g) {
      constants.nvls_efficiency[g] = number_or(*efficiency, topology::kGpuGenerationWords[g], 0);
    }
  }
}

void read_corrections(const Value& values, Constants& constants) {
  const Value corrections = *find(values, "tree_correction");
  for (std::size_t p = 0; p < kProtocols; ++p) {
    constants.tree_correction[p] = numbers(corrections, to_string(static_cast<Protocol>(p)));
  }
  constants.nvls_tree_correction = numbers(corrections, "nvlstree");
}

int small_count(const Value& object, const char* key) {
  return static_cast<int>(as_count(*find(object, key)));
}

void read_work(const Value& value, WorkConstants& work) {
  const Value buffers = *find(value, "buffers");
  const Value threads = *find(value, "threads");
  const Value bytes_per_thread = *find(value, "bytes_per_thread");
  for (std::size_t p = 0; p < kProtocols; ++p) {
    const char* protocol = to_string(static_cast<Protocol>(p));
    work.buffer[p] = input::as_bytes(*find(buffers, protocol));
    work.threads[p] = small_count(threads, protocol);
    work.bytes_per_thread[p] = as_count(*find(bytes_per_thread, protocol));
  }
  work.slots = as_count(*find(value, "slots"));
  const Value ring_simple = *find(value, "ring_simple");
  work.ring_simple_slots_per_chunk = as_count(*find(ring_simple, "slots_per_chunk"));
  work.ring_simple_slots_per_slice = as_count(*find(ring_simple, "slots_per_slice"));
  work.threads_simple_slow_ring = small_count(threads, "Simple_on_slow_rings");
  work.nvls_chunk = input::as_bytes(*find(value, "nvls_chunk"));
  work.threads_all = small_count(threads, "all");
  work.slow_ring = input::as_rate(*find(value, "slow_ring"));
  work.bytes_per_thread_collnet = as_count(*find(bytes_per_thread, "CollNet"));
  if (const auto least = find(value, "least_traffic_per_channel")) {
    work.least_traffic_per_channel = input::as_bytes(*least);
  }
}

}  // namespace

Constants read_constants(const Value& values) {
  Constants constants;
  for (const Value& word : find(values, "algorithms")->elements()) {
    for (std::size_t a = 0; a < kAlgorithms; ++a) {
      const bool meant = as_string(word) == to_string(static_cast<Algorithm>(a));
      constants.has_algorithm[a] = constants.has_algorithm[a] || meant;
    }
  }
  read_links(*find(values, "links"), constants);
  read_search(*find(values, "search"), constants);
  read_latencies(*find(values, "latencies"), constants);
  read_caps(*find(values, "bandwidth_caps"), constants);
  read_factors(*find(values, "bandwidth_factors"), constants);
  read_corrections(values, constants);
  read_work(*find(values, "work"), constants.work);
  return constants;
}

}  // namespace vgsim::collectives::nccl
