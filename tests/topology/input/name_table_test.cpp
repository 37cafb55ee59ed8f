#include "topology/input/name_table.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace vgsim::input {
namespace name_table_test {

/// Of numbers that are twice their name.
NameTable<int> table_of(const NameTable<int>::Names& names, std::atomic<int>& made) {
  NameTable<int> table;
  table.make_later(names, [&made](const std::string& name) {
    ++made;
    return 2 * std::stoi(name);
  });
  return table;
}

TEST(NameTable, AValueIsCreatedOnFirstUse) {
  std::atomic<int> made = 0;
  const auto table = table_of({"1", "2", "3"}, made);
  EXPECT_EQ(table.size(), 3U);
  EXPECT_TRUE(table.contains("2"));
  EXPECT_FALSE(table.contains("4"));
  EXPECT_EQ(made, 0);
  EXPECT_EQ(table.at("2"), 4);
  EXPECT_EQ(&table.find("2")->second, &table.at("2"));
  EXPECT_EQ(made, 1);
  EXPECT_EQ(table.find("4"), table.end());
  EXPECT_THROW(static_cast<void>(table.at("4")), std::out_of_range);
  EXPECT_EQ(table.size(), 3U);
  EXPECT_EQ(made, 1);
}

TEST(NameTable, IterationIsInTheOrderOfNames) {
  std::atomic<int> made = 0;
  const auto table = table_of({"3", "1", "2"}, made);
  EXPECT_EQ(table.at("3"), 6);
  std::vector<int> values;
  for (const auto& [name, value] : table) values.push_back(value);
  EXPECT_EQ(values, (std::vector{2, 4, 6}));
  EXPECT_EQ(made, 3);
}

TEST(NameTable, ThreadsCreateEachValueOnce) {
  NameTable<int>::Names names;
  for (int n = 0; n < 200; ++n) names.insert(std::to_string(n));
  std::atomic<int> made = 0;
  const auto table = table_of(names, made);
  const auto ask_for_all = [&] {
    for (int n = 0; n < 200; ++n) EXPECT_EQ(table.at(std::to_string(n)), 2 * n);
    EXPECT_EQ(std::distance(table.begin(), table.end()), 200);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(ask_for_all);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 200);
}

}  // namespace name_table_test
}  // namespace vgsim::input
