#include <algorithm>
#include <vector>

#include "tools/probe/cuda/copy_route.hpp"
#include "tools/probe/cuda/host_clock.hpp"
#include "tools/probe/cuda/works.hpp"

namespace vgsim::probe::cuda {
namespace {

using Routes = std::vector<std::unique_ptr<const CopyRoute>>;

/// The copies of all routes alternate, so that they run concurrently from the first one on.
void enqueue(const Routes& routes, std::size_t repeats) {
  for (std::size_t i = 0; i < repeats; ++i) {
    for (const auto& route : routes) {
      route->stream().gpu().make_current();
      route->enqueue();
    }
  }
}

/// Copies by one GPU, timed by its events.
class CopiesOfOneGpu : public PreparedWork {
 public:
  CopiesOfOneGpu(const GpuPtr& gpu, Routes routes)
      : routes_(std::move(routes)), start_(gpu), end_(gpu) {
    for (std::size_t i = 1; i < routes_.size(); ++i) {
      joins_.push_back(std::make_unique<const Event>(gpu));
    }
  }

  double seconds(std::size_t repeats) override {
    const Stream& first = routes_.front()->stream();
    first.gpu().make_current();
    start_.record(first);
    for (std::size_t i = 1; i < routes_.size(); ++i) routes_[i]->stream().wait_for(start_);
    enqueue(routes_, repeats);
    for (std::size_t i = 1; i < routes_.size(); ++i) {
      joins_[i - 1]->record(routes_[i]->stream());
      first.wait_for(*joins_[i - 1]);
    }
    end_.record(first);
    end_.synchronize();
    return end_.seconds_since(start_);
  }

 private:
  Routes routes_;
  Event start_;
  Event end_;
  std::vector<std::unique_ptr<const Event>> joins_;  ///< of every route but the first
};

/// Copies by several GPUs, timed by the host's clock.
class CopiesByHostClock : public PreparedWork {
 public:
  explicit CopiesByHostClock(Routes routes) : routes_(std::move(routes)) {}

  double seconds(std::size_t repeats) override {
    synchronize();
    const HostClock clock;
    enqueue(routes_, repeats);
    synchronize();
    return clock.seconds();
  }

 private:
  void synchronize() const {
    for (const auto& route : routes_) {
      route->stream().gpu().make_current();
      route->stream().synchronize();
    }
  }

  Routes routes_;
};

}  // namespace

std::unique_ptr<PreparedWork> prepare_work(Gpus& gpus, const calibration::Copies& work) {
  if (work.routes.empty()) throw DeviceError("copies without a route");
  Routes routes;
  for (const auto& route : work.routes) {
    routes.push_back(std::make_unique<const CopyRoute>(gpus, work, route));
  }
  const std::size_t gpu = routes.front()->stream().gpu().ordinal();
  const bool by_events = std::ranges::all_of(routes, [&](const auto& route) {
    return route->stream().gpu().ordinal() == gpu && !route->is_pageable();
  });
  if (by_events) return std::make_unique<CopiesOfOneGpu>(gpus.at(gpu), std::move(routes));
  return std::make_unique<CopiesByHostClock>(std::move(routes));
}

}  // namespace vgsim::probe::cuda
