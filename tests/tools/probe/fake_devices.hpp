#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/random.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe {

/// What a machine's links and GPUs do, known to the test alone.
struct Truth {
  double host_latency_s = 8e-6;
  double host_rate = 25e9;
  double pageable_rate = 6e9;
  double uplink_rate = 32e9;  ///< shared by two GPUs
  double bridge_latency_s = 2.5e-6;
  double bridge_rate = 270e9;  ///< between GPUs 0 and 1, 2 and 3
  double root_latency_s = 6e-6;
  double root_rate = 18e9;  ///< between all others
  double staged_latency_s = 15e-6;
  double staged_rate = 11e9;  ///< without peer access
  double memory_rate = 3e12;
  double launch_s = 2.2e-6;
  double waiting_launch_s = 7.5e-6;
  double flops_per_second = 700e12;
  double step_s = 0.04;
  double collective_latency_s = 20e-6;
  double collective_rate = 150e9;
};

/// Noise of measurements, and what makes first runs slow.
struct Noise {
  double deviation = 0.01;      ///< of each run's time
  double disturbed = 0.05;      ///< share of runs that take up to three times as long
  double cold_factor = 0.5;     ///< what the first run takes longer
  double warm_after_s = 0.005;  ///< time constant
  std::uint64_t seed = 1;
};

/// GPUs of a fake machine, four by default: on two NUMA nodes, in pairs behind switches.
class FakeDevices : public DeviceLayer {
 public:
  explicit FakeDevices(std::size_t gpus = 4, const Noise& noise = {}, const Truth& truth = {})
      : gpus_(gpus), noise_(noise), truth_(truth) {}

  /// Seconds since the machine was made: what its work took.
  [[nodiscard]] double now() const { return now_; }
  void refuse(std::string precision) { refused_ = std::move(precision); }
  void take_to_prepare(double seconds) { prepare_s_ = seconds; }

  [[nodiscard]] calibration::MeasuredMachine machine() override {
    calibration::MeasuredMachine machine;
    for (std::size_t g = 0; g < gpus_; ++g) {
      calibration::MeasuredGpu gpu;
      gpu.name = "NVIDIA A100-SXM4-80GB";
      gpu.pci_address = "0000:0" + std::to_string(g) + ":00.0";
      gpu.compute_capability = "8.0";
      gpu.memory = Bytes{85'000'000'000};
      gpu.multiprocessors = 108;
      gpu.numa_node = g / 2;
      machine.gpus.push_back(gpu);
    }
    machine.driver = "550.54";
    machine.processor = "a \"fake\" one\n";
    return machine;
  }

  [[nodiscard]] std::unique_ptr<PreparedWork> prepare(
      const calibration::DeviceWork& work) override {
    now_ += prepare_s_;
    const auto* product = std::get_if<calibration::Product>(&work);
    if (product != nullptr && product->precision == refused_) {
      throw DeviceError("the GPU has no " + refused_);
    }
    return std::make_unique<Prepared>(
        *this, std::visit([this](const auto& w) { return seconds_of(w); }, work));
  }

  [[nodiscard]] std::string new_call_id() override {
    return std::string("\0\xff", 2) + std::to_string(++ids_);
  }
  [[nodiscard]] std::unique_ptr<PreparedWork> prepare_rank(const calibration::CollectiveCall& call,
                                                           const CallRank& rank) override {
    ids_seen_.insert(rank.id);
    if (call.collective == refused_) throw DeviceError("rank has no " + refused_);
    ++ranks_prepared_;
    return std::make_unique<Prepared>(*this, 2 * seconds_of(call));
  }
  [[nodiscard]] std::size_t ranks_prepared() const { return ranks_prepared_; }
  [[nodiscard]] const std::set<std::string>& ids_seen() const { return ids_seen_; }

  [[nodiscard]] const Truth& truth() const { return truth_; }

 private:
  class Prepared : public PreparedWork {
   public:
    Prepared(FakeDevices& devices, double truth) : devices_(devices), truth_(truth) {}
    double seconds(std::size_t repeats) override {
      double total = 0;
      double left = static_cast<double>(repeats);
      // Runs of one sample are equal: a few represent all.
      constexpr double kSteps = 4;
      const double step = std::max(1.0, left / kSteps);
      for (; left > 0; left -= step) {
        const double one =
            truth_ * std::min(step, left) *
            (1 + devices_.noise_.cold_factor * std::exp(-run_s_ / devices_.noise_.warm_after_s));
        total += one;
        run_s_ += one;
      }
      const double taken = total * devices_.disturbance();
      devices_.now_ += taken;
      return taken;
    }

   private:
    FakeDevices& devices_;
    double truth_;
    double run_s_ = 0;
  };

  double disturbance() {
    const std::uint64_t place = runs_++;
    double factor = 1 + noise_.deviation * standard_normal(seed_of("noise", noise_.seed), place);
    if (uniform(seed_of("who", noise_.seed), place) < noise_.disturbed) {
      factor += 2 * uniform(seed_of("how much", noise_.seed), place);
    }
    return factor;
  }

  [[nodiscard]] double seconds_of(const calibration::Copies& copies) const {
    double slowest = 0;
    for (const auto& route : copies.routes) {
      slowest = std::max(slowest, seconds_of(route, copies));
    }
    return slowest;
  }

  [[nodiscard]] double seconds_of(const calibration::Route& route,
                                  const calibration::Copies& copies) const {
    using Kind = calibration::Place::Kind;
    const auto size = static_cast<double>(copies.size.count());
    const bool host = route.from.kind != Kind::kGpu || route.to.kind != Kind::kGpu;
    if (host) {
      const bool pageable = route.from.kind == Kind::kPageable || route.to.kind == Kind::kPageable;
      double rate = pageable ? truth_.pageable_rate : truth_.host_rate;
      if (copies.routes.size() > 2) rate = std::min(rate, truth_.uplink_rate / 2);
      return truth_.host_latency_s + size / rate;
    }
    if (!copies.peer_access) return truth_.staged_latency_s + size / truth_.staged_rate;
    if (route.from.gpu / 2 == route.to.gpu / 2) {
      return truth_.bridge_latency_s + size / truth_.bridge_rate;
    }
    return truth_.root_latency_s + size / truth_.root_rate;
  }

  [[nodiscard]] double seconds_of(const calibration::MemoryPass& pass) const {
    return truth_.launch_s + 2 * static_cast<double>(pass.size.count()) / truth_.memory_rate;
  }
  [[nodiscard]] double seconds_of(const calibration::Product& product) const {
    return 2 * static_cast<double>(product.m) * static_cast<double>(product.n) *
           static_cast<double>(product.k) / truth_.flops_per_second;
  }
  [[nodiscard]] double seconds_of(const calibration::Launch& launch) const {
    return launch.waits ? truth_.waiting_launch_s : truth_.launch_s;
  }
  [[nodiscard]] double seconds_of(const calibration::TrainingStep&) const { return truth_.step_s; }
  [[nodiscard]] double seconds_of(const calibration::CollectiveCall& call) const {
    return truth_.collective_latency_s +
           static_cast<double>(call.size.count()) / truth_.collective_rate;
  }

  std::size_t gpus_;
  Noise noise_;
  Truth truth_;
  std::string refused_;
  double prepare_s_ = 0.01;
  double now_ = 0;
  std::uint64_t runs_ = 0;
  std::size_t ranks_prepared_ = 0;
  std::size_t ids_ = 0;
  std::set<std::string> ids_seen_;
};

}  // namespace vgsim::probe
