#include "models/scoring/fit/device_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scoring/fit/topology_matrix.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {
namespace {

using calibration::Copies;
using calibration::Place;
using calibration::Route;
using Seconds = tl::expected<double, std::string>;

double as_number(BytesPerSecond rate) { return static_cast<double>(rate.count()); }

class Predictor {
 public:
  Predictor(const calibration::MeasuredMachine& machine, const Library& library)
      : machine_(machine), library_(library) {}

  Seconds operator()(const Copies& copies) const {
    if (copies.routes.size() != 1) return left_out("the links that they share are unknown");
    if (copies.by_kernel) return left_out("the model only covers copies by copy engines");
    constexpr std::int64_t kLeast = 16 << 20;
    if (copies.size.count() < kLeast) {
      return left_out("the model has no latency of copies, which matters below 16 MiB");
    }
    const auto rate = rate_of(copies.routes.front(), copies.peer_access);
    if (!rate) return tl::unexpected(rate.error());
    return static_cast<double>(copies.size.count()) / *rate;
  }

  Seconds operator()(const calibration::MemoryPass& pass) const {
    const auto rate = memory_rate(pass.gpu);
    if (!rate) return rate;
    constexpr std::int64_t kLeast = 256 << 20;
    if (pass.size.count() < kLeast) return left_out("part of the data is in the GPU's cache");
    return 2 * static_cast<double>(pass.size.count()) / *rate;
  }

  Seconds operator()(const calibration::Product& product) const {
    const auto* model = gpu(product.gpu);
    if (model == nullptr) return unknown_gpu(product.gpu);
    const bool half = product.precision == "fp16" || product.precision == "bf16";
    const auto own = kernels::kernel_gpu(*model, "fp16", library_.parameters);
    if (!half || !own) return left_out("the model only covers matrix products in 16 bits");
    const kernels::MatrixProduct shape{static_cast<double>(product.m),
                                       static_cast<double>(product.n),
                                       static_cast<double>(product.k)};
    return kernels::seconds_of(shape, *own, kernels::product_constants(library_.parameters));
  }

  Seconds operator()(const calibration::Launch& launch) const {
    if (launch.waits) return left_out("waiting for kernels on the host is not modelled");
    return to_seconds(library_.parameters.time("kernel_gap"));
  }

  Seconds operator()(const calibration::TrainingStep&) const {
    return left_out("a scenario predicts it");
  }
  Seconds operator()(const calibration::CollectiveCall&) const {
    return left_out("a scenario predicts it");
  }

 private:
  static tl::unexpected<std::string> left_out(const char* why) {
    return tl::unexpected(std::string(why));
  }

  /// The catalogue's GPU; nullptr if there is none with that name.
  [[nodiscard]] const topology::GpuModel* gpu(std::size_t index) const {
    return index < machine_.gpus.size()
               ? library_.catalog->gpu_by_driver_name(machine_.gpus[index].name)
               : nullptr;
  }

  [[nodiscard]] tl::unexpected<std::string> unknown_gpu(std::size_t index) const {
    const bool listed = index < machine_.gpus.size();
    return tl::unexpected(
        listed ? fmt::format("the catalogue has no \"{}\"", machine_.gpus[index].name)
               : fmt::format("gpu{} is not listed", index));
  }

  [[nodiscard]] Seconds memory_rate(std::size_t index) const {
    const auto* model = gpu(index);
    if (model == nullptr) return unknown_gpu(index);
    return as_number(model->memory_bandwidth.value) *
           library_.parameters.number("device_memory_share");
  }

  [[nodiscard]] double pcie_rate(const topology::GpuModel& model) const {
    const auto& generation = library_.catalog->pcie.at(model.pcie_generation);
    return as_number(generation.lane_rate.value) * static_cast<double>(model.pcie_lanes) *
           generation.payload_share.value * library_.parameters.number("pcie_rate_factor");
  }

  /// Bytes/s, or the reason why there is no rate.
  [[nodiscard]] Seconds rate_of(const Route& route, bool peer_access) const {
    const bool from_gpu = route.from.kind == Place::Kind::kGpu;
    const bool to_gpu = route.to.kind == Place::Kind::kGpu;
    if (from_gpu && to_gpu) return rate_between(route.from.gpu, route.to.gpu, peer_access);
    const Place& host = from_gpu ? route.to : route.from;
    const std::size_t index = from_gpu ? route.from.gpu : route.to.gpu;
    if (host.kind == Place::Kind::kPageable) {
      return left_out("the model only covers copies of pinned memory");
    }
    if (host.numa_node) return left_out("the NUMA node of the GPU is unknown");
    const auto* model = gpu(index);
    if (model == nullptr) return unknown_gpu(index);
    const std::string& mode = machine_.gpus[index].virtualization;
    const bool virtual_gpu = !mode.empty() && mode != "none";
    return pcie_rate(*model) * (virtual_gpu ? library_.parameters.number("iommu_copy_share") : 1.0);
  }

  [[nodiscard]] Seconds rate_between(std::size_t a, std::size_t b, bool peer_access) const {
    if (a == b) {
      const auto rate = memory_rate(a);
      return rate ? Seconds(*rate / 2) : rate;
    }
    if (!peer_access) return left_out("the memory that it uses is unknown");
    const auto* model = gpu(a);
    if (model == nullptr) return unknown_gpu(a);
    const std::string path = path_class(machine_.topology_matrix, a, b);
    if (path == "PIX" || path == "PXB") return pcie_rate(*model);
    const auto links = nvlinks_of(path);
    if (!links || model->nvlink.empty()) {
      return left_out("no NVLink and no PCIe switch between them is listed");
    }
    const auto& generation = library_.catalog->nvlinks.at(model->nvlink);
    const BytesPerSecond link = model->nvlink_link_bandwidth ? model->nvlink_link_bandwidth->value
                                                             : generation.link_bandwidth.value;
    return as_number(link) * static_cast<double>(*links) * generation.payload_share.value *
           library_.parameters.number("nvlink_rate_factor");
  }

  const calibration::MeasuredMachine& machine_;
  const Library& library_;
};

}  // namespace

tl::expected<double, std::string> predicted_seconds(const calibration::DeviceWork& work,
                                                    const calibration::MeasuredMachine& machine,
                                                    const Library& library) {
  return std::visit(Predictor(machine, library), work);
}

}  // namespace vgsim::scenario
