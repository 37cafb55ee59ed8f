#include "tools/studio/patches.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "models/scenario/read/layouts.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"

namespace vgsim::studio {
namespace patches_test {

using input::Value;

Value json(const std::string& text) { return *input::read_json(input::make_source("test", text)); }

std::string text(const Value& value) { return input::to_canonical_string(value); }

TEST(StudioPatches, SayWhatWasAddedTakenAwayAndChanged) {
  const Value base = json(R"({"a": 1, "b": {"c": 2, "d": 3}, "e": [1, 2]})");
  const Value changed = json(R"({"b": {"c": 4, "d": 3}, "e": [1, 2], "f": {"g": 5}})");
  EXPECT_EQ(text(difference(base, changed)), R"({"a":null,"b":{"c":4},"f":{"g":5}})");
  EXPECT_EQ(text(difference(base, base)), "{}");
}

/// An object of small numbers, texts and objects under few names, so that random ones meet.
rc::Gen<Value> an_object(int depth) {
  return rc::gen::exec([depth] {
    std::vector<input::Member> members;
    for (const char* name : {"a", "b", "c", "d"}) {
      const int kind = *rc::gen::inRange(0, depth > 0 ? 5 : 4);
      if (kind == 0) continue;
      const int number = *rc::gen::inRange(0, 3);
      const Value value = kind == 4   ? *an_object(depth - 1)
                          : kind == 1 ? Value::make_integer(number)
                          : kind == 2 ? Value::make_string(std::to_string(number))
                                      : Value::make_array({Value::make_integer(number)});
      members.push_back({name, {}, value});
    }
    return Value::make_object(std::move(members));
  });
}

RC_GTEST_PROP(StudioPatches, MakeTheOneOfTheOther, ()) {
  const Value base = *an_object(3);
  const Value changed = *an_object(3);
  RC_ASSERT(text(input::merge_patch(base, difference(base, changed))) == text(changed));
}

TEST(StudioPatches, NameRangesOfMachinesThatChangeAlike) {
  const Value patch = json(R"({
    "hosts": {"esx01": {"acs": true}, "esx02": {"acs": true}, "esx03": {"acs": false},
              "esx04": {"nics": {"mlx5_0": {"nic": "x"}, "mlx5_1": {"nic": "x"}}}, "esx07": null,
              "esx08": null},
    "vms": {"train01": {"host": "esx01", "vcpus": 8}, "train02": {"host": "esx02", "vcpus": 8},
            "train03": {"host": "esx01", "vcpus": 4}, "train04": {"host": "esx01", "vcpus": 4}},
    "job": {"epochs": 2}})");
  EXPECT_EQ(text(with_ranges(patch)), text(json(R"({
    "hosts": {"esx[01-02]": {"acs": true}, "esx03": {"acs": false},
              "esx04": {"nics": {"mlx5_[0-1]": {"nic": "x"}}}, "esx[07-08]": null},
    "vms": {"train[01-02]": {"host": "esx[01-02]", "vcpus": 8},
            "train03": {"host": "esx01", "vcpus": 4}, "train04": {"host": "esx01", "vcpus": 4}},
    "job": {"epochs": 2}})")));
}

RC_GTEST_PROP(StudioPatches, SayTheSameWithRangesAsWithout, ()) {
  std::vector<input::Member> vms;
  for (int n = 1; n <= 9; ++n) {
    if (*rc::gen::inRange(0, 3) == 0) continue;
    const std::string host = "esx0" + std::to_string(*rc::gen::inRange(1, 4));
    vms.push_back(
        {"train0" + std::to_string(n),
         {},
         Value::make_object({{"host", {}, Value::make_string(host)},
                             {"vcpus", {}, Value::make_integer(*rc::gen::inRange(1, 3))}})});
  }
  const Value patch = Value::make_object({{"vms", {}, Value::make_object(std::move(vms))}});
  input::Diagnostics diagnostics;
  const auto single =
      scenario::with_single_names(scenario::Document(with_ranges(patch)), diagnostics);
  RC_ASSERT(!diagnostics.has_errors());
  RC_ASSERT(single.canonical() == text(patch));
}

}  // namespace patches_test
}  // namespace vgsim::studio
