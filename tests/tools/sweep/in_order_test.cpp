#include "tools/sweep/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

namespace vgsim::sweep {
namespace in_order_test {

WorkResult result_of(std::uint64_t index) { return {std::to_string(index), false}; }

TEST(InOrder, ResultsComeInOrderThoughWorkDoesNot) {
  std::vector<std::string> taken;
  std::latch later(1);
  const auto count = run_in_order(
      5, 1000, 8,
      [&](std::uint64_t index) {
        if (index == 97) later.wait();
        if (index == 120) later.count_down();
        return result_of(index);
      },
      [&](const WorkResult& each) { taken.push_back(each.line); }, [] { return false; });
  EXPECT_EQ(count, 995U);
  ASSERT_EQ(taken.size(), 995U);
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], std::to_string(i + 5));
}

TEST(InOrder, NothingIsTakenThatEndedAfterTheStop) {
  std::atomic<bool> stopped = false;
  std::vector<std::string> taken;
  run_in_order(
      0, 100'000, 4,
      [&](std::uint64_t index) {
        if (index == 300) stopped = true;
        return stopped ? WorkResult{"cut short", true} : result_of(index);
      },
      [&](const WorkResult& each) { taken.push_back(each.line); }, [&] { return stopped.load(); });
  EXPECT_LT(taken.size(), 100'000U);
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], std::to_string(i));
}

TEST(InOrder, AheadByABoundedNumberOnly) {
  constexpr std::size_t kJobs = 2;
  constexpr std::uint64_t kAhead = kJobs * kAheadPerJob;
  std::latch others(kAhead - 1);
  std::atomic<bool> first_is_done = false;
  std::uint64_t taken = 0;
  run_in_order(
      0, 5000, kJobs,
      [&](std::uint64_t index) {
        if (index == 0) {
          others.wait();
          // Long enough for the other thread to begin one too many, if it would.
          for (int i = 0; i < 10'000; ++i) std::this_thread::yield();
          first_is_done = true;
        } else if (index < kAhead) {
          others.count_down();
        } else {
          EXPECT_TRUE(first_is_done) << index;
        }
        return result_of(index);
      },
      [&](const WorkResult&) { ++taken; }, [] { return false; });
  EXPECT_EQ(taken, 5000U);
}

TEST(InOrder, ExceptionsComeWhenItIsTheirTurn) {
  std::uint64_t taken = 0;
  const auto run = [&] {
    run_in_order(
        0, 100, 4,
        [](std::uint64_t index) -> WorkResult {
          if (index == 40) throw std::runtime_error("forty");
          return result_of(index);
        },
        [&](const WorkResult&) { ++taken; }, [] { return false; });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(taken, 40U);
  const auto full = [&] {
    run_in_order(
        0, 100, 4, result_of, [](const WorkResult&) { throw std::logic_error("full"); },
        [] { return false; });
  };
  EXPECT_THROW(full(), std::logic_error);
}

}  // namespace in_order_test
}  // namespace vgsim::sweep
