#include "tools/sweep/in_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace vgsim::sweep {
namespace in_order_test {

Piece piece(std::uint64_t index) { return {std::to_string(index), false}; }

TEST(InOrder, ResultsComeInOrderThoughWorkDoesNot) {
  std::vector<std::string> taken;
  const auto count = run_in_order(
      5, 1000, 8,
      [](std::uint64_t index) {
        if (index % 97 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return piece(index);
      },
      [&](const Piece& each) { taken.push_back(each.line); }, [] { return false; });
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
        return stopped ? Piece{"cut short", true} : piece(index);
      },
      [&](const Piece& each) { taken.push_back(each.line); }, [&] { return stopped.load(); });
  EXPECT_LT(taken.size(), 100'000U);
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], std::to_string(i));
}

TEST(InOrder, AheadByABoundedNumberOnly) {
  std::atomic<std::uint64_t> most = 0;
  std::atomic<std::uint64_t> taken = 0;
  run_in_order(
      0, 5000, 2,
      [&](std::uint64_t index) {
        if (index == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
        if (taken == 0) most = std::max(most.load(), index);
        return piece(index);
      },
      [&](const Piece&) { ++taken; }, [] { return false; });
  EXPECT_EQ(taken, 5000U);
  EXPECT_LT(most, 1000U);
}

TEST(InOrder, ExceptionsComeWhenItIsTheirTurn) {
  std::uint64_t taken = 0;
  const auto run = [&] {
    run_in_order(
        0, 100, 4,
        [](std::uint64_t index) -> Piece {
          if (index == 40) throw std::runtime_error("forty");
          return piece(index);
        },
        [&](const Piece&) { ++taken; }, [] { return false; });
  };
  EXPECT_THROW(run(), std::runtime_error);
  EXPECT_EQ(taken, 40U);
  const auto full = [&] {
    run_in_order(
        0, 100, 4, piece, [](const Piece&) { throw std::logic_error("full"); },
        [] { return false; });
  };
  EXPECT_THROW(full(), std::logic_error);
}

}  // namespace in_order_test
}  // namespace vgsim::sweep
