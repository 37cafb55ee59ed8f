#include "sim/lru_cache.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace vgsim {
namespace lru_cache_test {

/// Doubles a number through a cache, and records the computed keys.
struct Doubling {
  LruCache<int, int> known{3};
  std::vector<int> made;

  int operator()(int key) {
    return *known.get(key, [this](int of) {
      made.push_back(of);
      return 2 * of;
    });
  }
};

TEST(LruCache, ComputesEachKeyOnce) {
  Doubling twice;
  EXPECT_EQ(twice(1), 2);
  EXPECT_EQ(twice(2), 4);
  EXPECT_EQ(twice(1), 2);
  EXPECT_EQ(twice(2), 4);
  EXPECT_EQ(twice.made, (std::vector{1, 2}));
}

TEST(LruCache, RemovesTheLeastRecentlyUsedValue) {
  Doubling twice;
  for (const int key : {1, 2, 3, 1, 4, 1, 3, 2}) EXPECT_EQ(twice(key), 2 * key);
  EXPECT_EQ(twice.made, (std::vector{1, 2, 3, 4, 2}));
}

TEST(LruCache, DoesNotCacheExceptions) {
  LruCache<std::string, int> lengths(3);
  const auto refuse = [](const std::string&) -> int { throw std::invalid_argument("no"); };
  EXPECT_THROW(static_cast<void>(lengths.get("ab", refuse)), std::invalid_argument);
  EXPECT_EQ(*lengths.get("ab", [](const std::string& of) { return int(of.size()); }), 2);
}

}  // namespace lru_cache_test
}  // namespace vgsim
