#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// An event that lies ahead. What `phase` and `id` mean is the caller's business.
struct Event {
  SimTime time{};
  std::uint32_t phase = 0;     ///< lower phases come first at equal time
  std::uint32_t id = 0;        ///< a stable id: lower ids come first in one phase
  std::uint64_t sequence = 0;  ///< number of the push, from 1; unique within a queue

  /// The order of events: time, phase, id and, for pushes alike in all three, age.
  friend bool operator<(const Event& a, const Event& b) {
    return std::tie(a.time, a.phase, a.id, a.sequence) <
           std::tie(b.time, b.phase, b.id, b.sequence);
  }
};

/// A priority queue of events with a total order that knows nothing of addresses, so that what
/// comes out depends on what was pushed and never on where or when it was allocated.
///
/// Events are not removed from the middle. A caller that changes its mind pushes a new event,
/// remembers the sequence number that push returned and skips what comes out under an older one
/// (lazy invalidation); retain() throws such leftovers away in bulk. pop and push take O(log n).
class EventQueue {
 public:
  /// Returns the sequence number of the event, never 0.
  std::uint64_t push(SimTime time, std::uint32_t phase, std::uint32_t id) {
    const std::uint64_t sequence = ++pushes_;
    heap_.push_back({time, phase, id, sequence});
    std::push_heap(heap_.begin(), heap_.end(), later);
    return sequence;
  }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }

  /// The next event. The queue must not be empty.
  [[nodiscard]] const Event& top() const { return heap_.front(); }

  /// Takes the next event out. The queue must not be empty.
  Event pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Event event = heap_.back();
    heap_.pop_back();
    return event;
  }

  /// Keeps the events for which `wanted(event)` holds, in their order. O(n).
  template <class Predicate>
  void retain(Predicate wanted) {
    std::erase_if(heap_, [&](const Event& event) { return !wanted(event); });
    std::make_heap(heap_.begin(), heap_.end(), later);
  }

 private:
  static bool later(const Event& a, const Event& b) { return b < a; }

  std::vector<Event> heap_;
  std::uint64_t pushes_ = 0;
};

}  // namespace vgsim
