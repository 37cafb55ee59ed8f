#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {
namespace shape_patch_test {

Shape passthrough() {
  return object_shape({field("mode", enum_shape({"passthrough"})).required(),
                       field("devices", array_shape(string_shape(), 1)).required()});
}
Shape vgpu() {
  return object_shape({field("mode", enum_shape({"vgpu"})).required(),
                       field("profile", string_shape()).required(),
                       field("share", any_of_shape({count_shape(1, 8), number_shape(0, 1)}))});
}
Shape vms() {
  return object_shape(
      {field("name", string_shape()).required(),
       field("vms", map_shape("VM",
                              object_shape({field("cpus", count_shape(1, 128)).required(),
                                            field("gpus", any_of_shape({passthrough(), vgpu()}))}),
                              1))
           .required()});
}

TEST(PatchOf, NothingIsRequiredAndNullRemoves) {
  const Shape patch = patch_of(vms());
  for (const char* text :
       {"{}", R"({"vms": {}})", R"({"name": null, "vms": null})", R"({"vms": {"a": null}})",
        R"({"vms": {"a": {"cpus": null}}})", R"({"vms": {"a": {"gpus": {}}}})",
        R"({"vms": {"a": {"gpus": null}}})"}) {
    EXPECT_TRUE(check_errors(patch, text).empty()) << text;
  }
}

TEST(PatchOf, ValuesAreStillChecked) {
  const Shape patch = patch_of(vms());
  EXPECT_EQ(codes_of(check_errors(patch, R"({"vms": {"a": {"cpus": 0}}})")), Codes{"E204"});
  EXPECT_EQ(codes_of(check_errors(patch, R"({"vms": {"a": {"cpu": 1}}})")), Codes{"E201"});
  EXPECT_EQ(codes_of(check_errors(patch, R"({"vms": {"a": 1}})")), Codes{"E203"});
}

TEST(PatchOf, TheTopItselfCannotBeRemoved) {
  EXPECT_EQ(codes_of(check_errors(patch_of(vms()), "null")), Codes{"E203"});
}

TEST(PatchOf, OneAlternativeCanReplaceAnother) {
  const Shape patch = patch_of(vms());
  EXPECT_TRUE(check_errors(patch, R"({"vms": {"a": {"gpus":
      {"mode": "vgpu", "devices": null, "profile": "80c", "share": null}}}})")
                  .empty());
  EXPECT_TRUE(check_errors(patch, R"({"vms": {"a": {"gpus": {"mode": "passthrough"}}}})").empty());
  EXPECT_EQ(codes_of(check_errors(patch, R"({"vms": {"a": {"gpus": {"mode": "sriov"}}}})")),
            Codes{"E206"});
}

TEST(PatchOf, ArraysAreReplacedWhole) {
  const Shape patch = patch_of(object_shape({field("d", array_shape(string_shape(), 1))}));
  EXPECT_TRUE(check_errors(patch, R"({"d": ["x"]})").empty());
  EXPECT_EQ(codes_of(check_errors(patch, R"({"d": []})")), Codes{"E204"});
  EXPECT_EQ(codes_of(check_errors(patch, R"({"d": [null]})")), Codes{"E203"});
}

TEST(PatchOf, AFieldThatAlternativesShareAcceptsWhatEitherDoes) {
  const Shape a = object_shape({field("size", count_shape(1, 8))});
  const Shape b = object_shape({field("size", bytes_shape())});
  const Shape patch = patch_of(any_of_shape({a, b, string_shape()}));
  for (const char* text : {R"({"size": 4})", R"({"size": "4 GB"})", R"({"size": null})", "\"x\""}) {
    EXPECT_TRUE(check_errors(patch, text).empty()) << text;
  }
  EXPECT_FALSE(check_errors(patch, R"({"size": true})").empty());
}

}  // namespace shape_patch_test
}  // namespace vgsim::input
