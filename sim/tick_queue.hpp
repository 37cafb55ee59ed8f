#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// Items that wait for a time, taken out a tick at a time, earliest tick first. The order within a
/// tick depends on what was pushed when and never on an address.
///
/// Simulated machines act in lockstep, so many items share few ticks: those pushed in a row for
/// one tick share one heap entry, and nothing is allocated once the vectors have grown.
template <class Item>
class TickQueue {
 public:
  void push(SimTime tick, const Item& item) {
    ++size_;
    if (last_ < slots_.size() && slots_[last_].used && slots_[last_].tick == tick) {
      slots_[last_].items.push_back(item);
      return;
    }
    if (vacant_.empty()) {
      vacant_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    last_ = vacant_.back();
    vacant_.pop_back();
    Slot& slot = slots_[last_];
    slot.tick = tick;
    slot.used = true;
    slot.items.push_back(item);
    heap_.push_back({tick, last_});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The earliest tick. The queue must not be empty.
  [[nodiscard]] SimTime next() const { return heap_.front().tick; }

  /// One of the items of the earliest tick. The queue must not be empty.
  [[nodiscard]] const Item& front() const { return slots_[heap_.front().slot].items.back(); }

  /// Forgets items at the front that are not wanted any more, until one that is wanted is among
  /// those of the earliest tick or the queue is empty.
  template <class Predicate>
  void drop_unwanted(Predicate wanted) {
    while (!heap_.empty()) {
      std::vector<Item>& items = slots_[heap_.front().slot].items;
      while (!items.empty() && !wanted(items.back())) {
        items.pop_back();
        --size_;
      }
      if (!items.empty()) return;
      drop_front();
    }
  }

  /// Keeps the wanted items, in their order. O(n).
  template <class Predicate>
  void retain(Predicate wanted) {
    size_ = 0;
    for (Slot& slot : slots_) {
      std::erase_if(slot.items, [&](const Item& item) { return !wanted(item); });
      size_ += slot.items.size();
    }
  }

  /// Appends the items of the earliest tick to `out` and forgets them.
  void take(std::vector<Item>& out) {
    const SimTime tick = next();
    while (!heap_.empty() && next() == tick) {
      std::vector<Item>& items = slots_[heap_.front().slot].items;
      out.insert(out.end(), items.begin(), items.end());
      size_ -= items.size();
      items.clear();
      drop_front();
    }
  }

 private:
  struct Slot {
    SimTime tick{};
    bool used = false;
    std::vector<Item> items;
  };
  struct Entry {
    SimTime tick{};
    std::uint32_t slot = 0;
  };

  static bool later(const Entry& a, const Entry& b) {
    return a.tick != b.tick ? a.tick > b.tick : a.slot > b.slot;
  }

  void drop_front() {
    const std::uint32_t slot = heap_.front().slot;
    slots_[slot].used = false;
    vacant_.push_back(slot);
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> vacant_;
  std::vector<Entry> heap_;
  std::size_t size_ = 0;
  std::uint32_t last_ = 0;  ///< the slot pushed to last
};

}  // namespace vgsim
