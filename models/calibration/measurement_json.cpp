#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/calibration/measurement.hpp"
#include "sim/units.hpp"
#include "topology/input/binary_size.hpp"
#include "topology/input/units/exact_time.hpp"

namespace vgsim::calibration {
namespace {

using nlohmann::ordered_json;

/// To six digits, as a whole number of picoseconds.
std::string time_text(double seconds) {
  double picoseconds = std::max(1.0, seconds * static_cast<double>(kPicosecondsPerSecond));
  const double place = std::pow(10.0, std::floor(std::log10(picoseconds)) - 5);
  if (place > 1) picoseconds = std::round(picoseconds / place) * place;
  return input::exact_time_text(SimTime{std::llround(picoseconds)});
}

ordered_json timing_json(const Timing& timing) {
  ordered_json json = {{"median", time_text(timing.median_s)}};
  if (timing.samples == 0) return json;
  json["low"] = time_text(timing.low_s);
  json["high"] = time_text(timing.high_s);
  json["samples"] = timing.samples;
  json["repeats"] = timing.repeats;
  if (!timing.steady) json["steady"] = false;
  return json;
}

struct WorkJson {
  ordered_json operator()(const Copies& copies) const {
    ordered_json routes = ordered_json::array();
    for (const Route& route : copies.routes) {
      routes.push_back({to_string(route.from), to_string(route.to)});
    }
    ordered_json json = {{"what", "copy"}, {"routes", routes}, {"size", size(copies.size)}};
    if (copies.by_kernel) json["by_kernel"] = true;
    if (!copies.peer_access) json["peer_access"] = false;
    return json;
  }
  ordered_json operator()(const MemoryPass& pass) const {
    return {{"what", "memory"}, {"gpu", pass.gpu}, {"size", size(pass.size)}};
  }
  ordered_json operator()(const Product& product) const {
    return {{"what", "product"}, {"gpu", product.gpu}, {"precision", product.precision},
            {"m", product.m},    {"n", product.n},     {"k", product.k}};
  }
  ordered_json operator()(const Launch& launch) const {
    ordered_json json = {{"what", "launch"}, {"gpu", launch.gpu}};
    if (launch.waits) json["waits"] = true;
    return json;
  }
  ordered_json operator()(const TrainingStep& step) const {
    return {{"what", "training_step"},
            {"gpu", step.gpu},
            {"network", step.network},
            {"precision", step.precision},
            {"batch", step.batch}};
  }
  ordered_json operator()(const CollectiveCall& call) const {
    ordered_json json = {{"what", "collective"},
                         {"collective", call.collective},
                         {"gpus", call.gpus},
                         {"size", size(call.size)}};
    if (call.machines > 1) json["machines"] = call.machines;
    if (call.algorithm) json["algorithm"] = *call.algorithm;
    if (call.protocol) json["protocol"] = *call.protocol;
    return json;
  }

  /// "1 MiB", or the exact number of bytes.
  static std::string size(Bytes bytes) {
    const std::string text = input::format_binary_size(bytes);
    return text.find("iB") != std::string::npos ? text : fmt::format("{} B", bytes.count());
  }
};

void put(ordered_json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

void put(ordered_json& json, const char* key, std::size_t number) {
  if (number > 0) json[key] = number;
}

ordered_json gpu_json(const MeasuredGpu& gpu) {
  ordered_json json = {{"name", gpu.name}};
  put(json, "pci_address", gpu.pci_address);
  put(json, "compute_capability", gpu.compute_capability);
  if (gpu.memory > Bytes{0}) json["memory"] = WorkJson::size(gpu.memory);
  put(json, "multiprocessors", gpu.multiprocessors);
  put(json, "clock_mhz", gpu.clock_mhz);
  put(json, "memory_clock_mhz", gpu.memory_clock_mhz);
  if (gpu.numa_node) json["numa_node"] = *gpu.numa_node;
  put(json, "virtualization", gpu.virtualization);
  put(json, "mig", gpu.mig);
  return json;
}

ordered_json machine_json(const MeasuredMachine& machine) {
  ordered_json json = {{"gpus", ordered_json::array()}};
  for (const MeasuredGpu& gpu : machine.gpus) json["gpus"].push_back(gpu_json(gpu));
  put(json, "driver", machine.driver);
  put(json, "cuda", machine.cuda);
  put(json, "nccl", machine.nccl);
  put(json, "processor", machine.processor);
  put(json, "hypervisor", machine.hypervisor);
  put(json, "topology_matrix", machine.topology_matrix);
  put(json, "nccl_topology", machine.nccl_topology);
  return json;
}

}  // namespace

std::string to_json(const Measurement& measurement) {
  ordered_json json = {{"format", kMeasurementFormat}, {"name", measurement.name}};
  put(json, "date", measurement.date);
  json["tool"] = measurement.tool;
  json["machine"] = machine_json(measurement.machine);
  json["results"] = ordered_json::array();
  for (const Measured& each : measurement.results) {
    ordered_json result = std::visit(WorkJson{}, each.work);
    result["time"] = timing_json(each.timing);
    json["results"].push_back(std::move(result));
  }
  json["left_out"] = ordered_json::array();
  for (const LeftOut& each : measurement.left_out) {
    json["left_out"].push_back({{"what", each.what}, {"why", each.why}});
  }
  // Names come from drivers and logs: invalid UTF-8 is replaced.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::calibration
