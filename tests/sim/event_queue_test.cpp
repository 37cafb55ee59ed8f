#include "sim/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace vgsim {
namespace {

struct Key {
  int time;
  int phase;
  int id;
  auto operator<=>(const Key&) const = default;
};

std::vector<Key> drained(const std::vector<Key>& keys) {
  EventQueue queue;
  for (const Key& key : keys) {
    queue.push(SimTime{key.time}, static_cast<std::uint32_t>(key.phase),
               static_cast<std::uint32_t>(key.id));
  }
  std::vector<Key> order;
  while (!queue.empty()) {
    const Event event = queue.pop();
    order.push_back({static_cast<int>(event.time.count()), static_cast<int>(event.phase),
                     static_cast<int>(event.id)});
  }
  return order;
}

RC_GTEST_PROP(EventQueue, OrdersByTimePhaseAndIdHoweverPushed, ()) {
  std::vector<Key> keys(*rc::gen::inRange<std::size_t>(0, 30));
  for (Key& key : keys) {
    key = {*rc::gen::inRange(0, 3), *rc::gen::inRange(0, 3), *rc::gen::inRange(0, 4)};
  }
  const std::vector<Key> order = drained(keys);
  std::sort(keys.begin(), keys.end());
  RC_ASSERT(order == keys);
}

TEST(EventQueue, EventsAlikeComeOutInTheOrderOfPushing) {
  EventQueue queue;
  const std::uint64_t first = queue.push(SimTime{5}, 1, 7);
  const std::uint64_t second = queue.push(SimTime{5}, 1, 7);
  EXPECT_EQ(queue.pop().sequence, first);
  EXPECT_EQ(queue.pop().sequence, second);
}

TEST(EventQueue, RetainDropsTheOthersAndKeepsTheOrder) {
  EventQueue queue;
  for (std::uint32_t id = 10; id > 0; --id) queue.push(SimTime{1}, 0, id);
  queue.retain([](const Event& event) { return event.id % 2 == 0; });
  EXPECT_EQ(queue.size(), 5U);
  for (std::uint32_t id = 2; id <= 10; id += 2) EXPECT_EQ(queue.pop().id, id);
}

}  // namespace
}  // namespace vgsim
