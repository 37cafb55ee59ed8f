#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// A calendar queue of items, taken out one tick at a time, earliest tick first. The order within a
/// tick depends only on the order of pushes.
///
/// Simulated machines act in lockstep, so numerous items share few ticks. Items pushed
/// consecutively for one tick share one heap entry, and memory is allocated only while the vectors
/// grow.
template <class Item>
class TickQueue {
 public:
  void push(SimTime tick, const Item& item) {
    ++size_;
    const std::uint32_t node = new_node(item);
    if (last_ < slots_.size() && slots_[last_].first != kNone && slots_[last_].tick == tick) {
      nodes_[slots_[last_].last].next = node;
      slots_[last_].last = node;
      return;
    }
    if (vacant_.empty()) {
      vacant_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.emplace_back();
    }
    last_ = vacant_.back();
    vacant_.pop_back();
    slots_[last_] = {tick, node, node};
    heap_.push_back({tick, last_});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The earliest tick. The queue must not be empty.
  [[nodiscard]] SimTime next() const { return heap_.front().tick; }

  /// An item of the earliest tick. The queue must not be empty.
  [[nodiscard]] const Item& front() const { return nodes_[slots_[heap_.front().slot].first].item; }

  /// Removes items from the front until front() is wanted or the queue is empty.
  template <class Predicate>
  void drop_unwanted(Predicate wanted) {
    while (!heap_.empty() && !wanted(front())) {
      Slot& slot = slots_[heap_.front().slot];
      slot.first = free_node(slot.first);
      if (slot.first == kNone) drop_front();
    }
  }

  /// Keeps the wanted items. O(n).
  template <class Predicate>
  void retain(Predicate wanted) {
    std::vector<Item> items;
    TickQueue kept;
    while (!heap_.empty()) {
      const SimTime tick = next();
      items.clear();
      take(items);
      for (const Item& item : items) {
        if (wanted(item)) kept.push(tick, item);
      }
    }
    *this = std::move(kept);
  }

  /// Moves the items of the earliest tick to `out`.
  void take(std::vector<Item>& out) {
    const SimTime tick = next();
    while (!heap_.empty() && next() == tick) {
      Slot& slot = slots_[heap_.front().slot];
      while (slot.first != kNone) {
        out.push_back(nodes_[slot.first].item);
        slot.first = free_node(slot.first);
      }
      drop_front();
    }
  }

 private:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  struct Node {
    Item item;
    std::uint32_t next = kNone;
  };
  struct Slot {  ///< the list of nodes of one tick; empty when first is kNone
    SimTime tick{};
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  struct Entry {
    SimTime tick{};
    std::uint32_t slot = 0;
  };

  static bool later(const Entry& a, const Entry& b) {
    return a.tick != b.tick ? a.tick > b.tick : a.slot > b.slot;
  }

  std::uint32_t new_node(const Item& item) {
    if (free_ == kNone) {
      nodes_.push_back({item, kNone});
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t node = free_;
    free_ = nodes_[node].next;
    nodes_[node] = {item, kNone};
    return node;
  }

  /// Frees a node and returns the one after it.
  std::uint32_t free_node(std::uint32_t node) {
    --size_;
    return std::exchange(nodes_[node].next, std::exchange(free_, node));
  }

  void drop_front() {
    vacant_.push_back(heap_.front().slot);
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }

  std::vector<Node> nodes_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> vacant_;
  std::vector<Entry> heap_;
  std::size_t size_ = 0;
  std::uint32_t free_ = kNone;  ///< the first of the free nodes
  std::uint32_t last_ = 0;      ///< the slot pushed to last
};

}  // namespace vgsim
