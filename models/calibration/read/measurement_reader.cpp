#include <optional>

#include "models/calibration/read/measurement_file.hpp"
#include "sim/units.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::calibration {

using namespace input;

namespace {

std::string text_of(const Value& object, const char* key) {
  const auto value = find(object, key);
  return value ? as_string(*value) : std::string();
}

std::size_t count_of(const Value& object, const char* key, std::size_t otherwise = 0) {
  const auto value = find(object, key);
  return value ? static_cast<std::size_t>(as_count(*value)) : otherwise;
}

bool flag_of(const Value& object, const char* key, bool otherwise) {
  const auto value = find(object, key);
  return value ? as_bool(*value) : otherwise;
}

std::optional<std::string> stated(const Value& object, const char* key) {
  const auto value = find(object, key);
  return value ? std::optional(as_string(*value)) : std::nullopt;
}

Timing timing_of(const Value& value) {
  const auto seconds = [&](const char* key, double otherwise) {
    const auto time = find(value, key);
    if (!time) return otherwise;
    return static_cast<double>(as_time(*time).count()) / static_cast<double>(kPicosecondsPerSecond);
  };
  Timing timing;
  timing.median_s = seconds("median", 0);
  timing.low_s = seconds("low", timing.median_s);
  timing.high_s = seconds("high", timing.median_s);
  timing.samples = count_of(value, "samples");
  timing.repeats = count_of(value, "repeats", 1);
  timing.steady = flag_of(value, "steady", true);
  return timing;
}

Copies copies_of(const Value& value) {
  Copies copies;
  for (const Value& route : find(value, "routes")->elements()) {
    copies.routes.push_back(
        {*place_of(as_string(route.elements()[0])), *place_of(as_string(route.elements()[1]))});
  }
  copies.size = as_bytes(*find(value, "size"));
  copies.by_kernel = flag_of(value, "by_kernel", false);
  copies.peer_access = flag_of(value, "peer_access", true);
  return copies;
}

CollectiveCall collective_of(const Value& value) {
  CollectiveCall call;
  call.collective = text_of(value, "collective");
  for (const Value& gpu : find(value, "gpus")->elements()) {
    call.gpus.push_back(static_cast<std::size_t>(as_count(gpu)));
  }
  call.size = as_bytes(*find(value, "size"));
  call.machines = count_of(value, "machines", 1);
  call.algorithm = stated(value, "algorithm");
  call.protocol = stated(value, "protocol");
  return call;
}

DeviceWork work_of(const Value& value) {
  const std::string what = text_of(value, "what");
  const std::size_t gpu = count_of(value, "gpu");
  if (what == "copy") return copies_of(value);
  if (what == "memory") return MemoryPass{gpu, as_bytes(*find(value, "size"))};
  if (what == "product") {
    return Product{gpu, text_of(value, "precision"), as_count(*find(value, "m")),
                   as_count(*find(value, "n")), as_count(*find(value, "k"))};
  }
  if (what == "launch") return Launch{gpu, flag_of(value, "waits", false)};
  if (what == "training_step") {
    return TrainingStep{gpu, text_of(value, "network"), text_of(value, "precision"),
                        as_count(*find(value, "batch"))};
  }
  return collective_of(value);
}

MeasuredGpu gpu_of(const Value& value) {
  MeasuredGpu gpu;
  gpu.name = text_of(value, "name");
  gpu.pci_address = text_of(value, "pci_address");
  gpu.compute_capability = text_of(value, "compute_capability");
  if (const auto memory = find(value, "memory")) gpu.memory = as_bytes(*memory);
  gpu.multiprocessors = count_of(value, "multiprocessors");
  gpu.clock_mhz = count_of(value, "clock_mhz");
  gpu.memory_clock_mhz = count_of(value, "memory_clock_mhz");
  if (find(value, "numa_node")) gpu.numa_node = count_of(value, "numa_node");
  gpu.virtualization = text_of(value, "virtualization");
  gpu.mig = text_of(value, "mig");
  return gpu;
}

MeasuredMachine machine_of(const Value& value) {
  MeasuredMachine machine;
  for (const Value& gpu : find(value, "gpus")->elements()) machine.gpus.push_back(gpu_of(gpu));
  machine.driver = text_of(value, "driver");
  machine.cuda = text_of(value, "cuda");
  machine.nccl = text_of(value, "nccl");
  machine.processor = text_of(value, "processor");
  machine.hypervisor = text_of(value, "hypervisor");
  machine.topology_matrix = text_of(value, "topology_matrix");
  machine.nccl_topology = text_of(value, "nccl_topology");
  return machine;
}

}  // namespace

tl::expected<Measurement, Diagnostics> read_measurement(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, measurement_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Measurement measurement;
  measurement.name = text_of(*document, "name");
  measurement.date = text_of(*document, "date");
  measurement.tool = text_of(*document, "tool");
  measurement.machine = machine_of(*find(*document, "machine"));
  for (const Value& result : find(*document, "results")->elements()) {
    measurement.results.push_back({work_of(result), timing_of(*find(result, "time"))});
  }
  if (const auto left_out = find(*document, "left_out")) {
    for (const Value& each : left_out->elements()) {
      measurement.left_out.push_back({text_of(each, "what"), text_of(each, "why")});
    }
  }
  return measurement;
}

}  // namespace vgsim::calibration
