#include "sim/time_slicing.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace vgsim {
namespace {

constexpr SimTime kNever{std::numeric_limits<std::int64_t>::max()};
/// Length of work that never ends: longer than a simulation, small enough to be added to a time.
constexpr SimTime kEndless{kNever.count() / 2};
constexpr auto kKernelLane = static_cast<std::size_t>(WorkLane::kKernels);

}  // namespace

TimeSlicer::TimeSlicer(SlicedDevice device)
    : device_(std::move(device)), queues_(device_.tenants.size()) {
  const SimTime zero{};
  device_.slots = std::max(device_.slots, device_.tenants.size());
  bool fits = device_.switching >= zero && device_.slice > device_.switching &&
              device_.first < device_.slots;
  for (std::size_t t = 0; t < queues_.size(); ++t) {
    const Tenant& tenant = device_.tenants[t];
    fits &= tenant.kernel >= zero;
    queues_[t].next_arrival = kNever;
    if (!tenant.load) continue;
    fits &= tenant.load->period > zero && tenant.load->busy > zero && tenant.load->phase >= zero;
    if (tenant.load->busy < tenant.load->period) {
      queues_[t].next_arrival = tenant.load->phase;
    } else {
      queues_[t].lanes[kKernelLane].push_back({std::nullopt, kEndless, SimTime{0}});
    }
  }
  if (!fits)
    throw std::invalid_argument("a time-sliced device with an invalid slice, slot or load");
  take_arrivals();
  if (device_.policy == SlicePolicy::kFixedSlots) begin_slice(device_.first, device_.slice);
}

bool TimeSlicer::has_work(std::size_t slot) const {
  if (slot >= queues_.size()) return false;
  const auto& lanes = queues_[slot].lanes;
  return std::any_of(lanes.begin(), lanes.end(), [](const auto& works) { return !works.empty(); });
}

/// The current work of the holder in its lane of kernels; nullptr if there is none.
const TimeSlicer::Work* TimeSlicer::kernels_of_holder() const {
  if (!holder_ || !working_ || *holder_ >= queues_.size()) return nullptr;
  const auto& works = queues_[*holder_].lanes[kKernelLane];
  return works.empty() ? nullptr : &works.front();
}

/// Whether the holder is in the middle of a kernel.
bool TimeSlicer::is_in_kernel() const {
  const Work* work = kernels_of_holder();
  if (work == nullptr) return false;
  const std::int64_t kernel = device_.tenants[*holder_].kernel.count();
  return kernel > 0 && work->served.count() % kernel > 0;
}

bool TimeSlicer::others_wait() const {
  for (std::size_t t = 0; t < queues_.size(); ++t) {
    if (t != *holder_ && has_work(t)) return true;
  }
  return false;
}

/// End of the current slice, including the rest of the kernel during which it expires.
SimTime TimeSlicer::end_of_slice() const {
  const Work* work = kernels_of_holder();
  if (work == nullptr) return slice_end_;
  const bool ends_while_switching = ready_ > now_ && ready_ >= slice_end_;
  const std::int64_t kernel = device_.tenants[*holder_].kernel.count();
  if (kernel == 0 || ends_while_switching) return slice_end_;
  const SimTime cut = std::max(slice_end_, now_);
  const SimTime time = cut - std::max(now_, ready_);
  if (time >= work->left) return cut;  // its kernels end earlier
  const std::int64_t over = (work->served + time).count() % kernel;
  return over == 0 ? cut : cut + SimTime{kernel - over};
}

SimTime TimeSlicer::next_event() const {
  SimTime next = kNever;
  for (const Queue& queue : queues_) next = std::min(next, queue.next_arrival);
  if (!holder_) return next;
  if (working_ && has_work(*holder_)) {
    for (const auto& works : queues_[*holder_].lanes) {
      if (!works.empty()) next = std::min(next, std::max(now_, ready_) + works.front().left);
    }
  }
  return std::min(next, end_of_slice());
}

void TimeSlicer::take_arrivals() {
  for (std::size_t t = 0; t < queues_.size(); ++t) {
    Queue& queue = queues_[t];
    while (queue.next_arrival <= now_) {
      const BackgroundLoad& load = *device_.tenants[t].load;
      queue.lanes[kKernelLane].push_back({std::nullopt, load.busy, SimTime{0}});
      queue.next_arrival += load.period;
    }
  }
}

void TimeSlicer::begin_slice(std::size_t slot, SimTime length) {
  holder_ = slot;
  working_ = false;
  slice_end_ = now_ + length;
}

/// Starts the work of the holder, which must have some.
void TimeSlicer::begin_work() {
  working_ = true;
  ready_ = now_;
  if (last_ && *last_ != *holder_) ready_ += device_.switching;
  last_ = holder_;
}

void TimeSlicer::schedule() {
  if (device_.policy == SlicePolicy::kFixedSlots) {
    schedule_fixed_slots();
  } else {
    schedule_work_conserving();
  }
}

void TimeSlicer::schedule_fixed_slots() {
  while (now_ >= slice_end_ && !is_in_kernel()) {
    if (*holder_ < queues_.size()) queues_[*holder_].overrun += now_ - slice_end_;
    const std::size_t slot = (*holder_ + 1) % device_.slots;
    SimTime length = device_.slice;
    if (slot < queues_.size()) {
      const SimTime taken = std::min(queues_[slot].overrun, length);
      queues_[slot].overrun -= taken;
      length -= taken;
    }
    begin_slice(slot, length);
  }
  if (!working_ && has_work(*holder_)) begin_work();
}

void TimeSlicer::schedule_work_conserving() {
  if (is_in_kernel()) return;
  if (holder_ && has_work(*holder_)) {
    if (now_ < slice_end_) return;
    if (!others_wait()) {
      slice_end_ = now_ + device_.slice;
      return;
    }
  }
  const std::size_t tenants = queues_.size();
  const std::size_t after = holder_ ? *holder_ + 1 : last_ ? *last_ + 1 : device_.first;
  holder_.reset();
  for (std::size_t i = 0; i < tenants; ++i) {
    const std::size_t t = (after + i) % tenants;
    if (!has_work(t)) continue;
    begin_slice(t, device_.slice);
    begin_work();
    return;
  }
}

/// Advances to `to`, which is at most the next event.
void TimeSlicer::step(SimTime to, std::vector<std::uint32_t>& ended) {
  const SimTime begin = std::max(now_, ready_);
  if (holder_ && working_ && has_work(*holder_) && to > begin) {
    for (auto& works : queues_[*holder_].lanes) {
      if (works.empty()) continue;
      works.front().left -= to - begin;
      works.front().served += to - begin;
      if (works.front().left > SimTime{0}) continue;
      if (works.front().id) {
        ended.push_back(*works.front().id);
        --submitted_;
      }
      works.pop_front();
    }
  }
  now_ = to;
  take_arrivals();
}

void TimeSlicer::submit(std::size_t tenant, WorkLane lane, std::uint32_t id, SimTime work) {
  if (work <= SimTime{0}) throw std::invalid_argument("work without a length");
  queues_.at(tenant).lanes[static_cast<std::size_t>(lane)].push_back({id, work, SimTime{0}});
  ++submitted_;
}

std::optional<SimTime> TimeSlicer::next() {
  if (submitted_ == 0) return std::nullopt;
  schedule();
  return next_event();
}

void TimeSlicer::advance(SimTime to, std::vector<std::uint32_t>& ended) {
  while (now_ < to) {
    schedule();
    step(std::min(to, next_event()), ended);
  }
}

}  // namespace vgsim
