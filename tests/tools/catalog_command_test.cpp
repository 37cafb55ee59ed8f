// Listing, searching and showing named entries of scenarios.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace catalog_command_test {

using nlohmann::json;
using test::Ran;
using test::run_program;
using test::Scratch;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CatalogCommand : public testing::Test {
 protected:
  Ran catalog(const std::string& arguments) {
    return run_program(scratch_, "catalog " + arguments);
  }

  Scratch scratch_;
};

TEST_F(CatalogCommand, ListsTheKinds) {
  const std::string kinds = "\n" + catalog("").out;
  for (const char* kind : {"gpus", "servers", "nics", "datasets", "profiles", "networks", "rules",
                           "versions", "calibrations", "parameters"}) {
    EXPECT_THAT(kinds, HasSubstr(std::string("\n") + kind + " ")) << kind;
    EXPECT_EQ(catalog(kind).exit_code, 0) << kind;
  }
}

TEST_F(CatalogCommand, ShowsOneOfEachKind) {
  EXPECT_THAT(catalog("profiles nvidia_h100-3-40c").out,
              AllOf(HasSubstr("h100-pcie-80gb"), HasSubstr("compute_slices"), HasSubstr("MIG")));
  EXPECT_THAT(catalog("networks llama-3-8b").out,
              AllOf(StartsWith("llama-3-8b: Llama 3 8B"), HasSubstr("layers 32")));
  EXPECT_THAT(catalog("rules mmio-too-small").out,
              AllOf(HasSubstr("remedy"), HasSubstr("refused"), HasSubstr("confidence high")));
  EXPECT_THAT(catalog("versions 9.1").out, AllOf(HasSubstr("2026-05-12"), HasSubstr("documents")));
  EXPECT_THAT(catalog("calibrations h100-nvswitch").out, HasSubstr("hopper_nvls_share"));
  EXPECT_THAT(catalog("datasets imagenet-1k").out, HasSubstr("1281167"));
  EXPECT_THAT(catalog("parameters nvlink_rate_factor").out, HasSubstr("(0.77 to 1.11)"));
}

TEST_F(CatalogCommand, ListsAllThatMatchWhereNoneIsCalledSo) {
  const Ran ran = catalog("gpus h100");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* gpu : {"h100-pcie-80gb", "h100-sxm5-80gb", "h100-nvl-94gb"}) {
    EXPECT_THAT(ran.out, HasSubstr(std::string(gpu) + "  ")) << gpu;
  }
  EXPECT_THAT(ran.out, Not(HasSubstr("h200")));
  EXPECT_EQ(catalog("gpus H100 sxm").out, catalog("gpus h100-sxm5-80gb").out) << "the only one";
  EXPECT_EQ(catalog("gpu l40s").out, catalog("gpus l40s").out);
  EXPECT_THAT(catalog("gpus a10").out, StartsWith("a10: ")) << "not one of the A100";
}

TEST_F(CatalogCommand, SearchesAllKindsForAWordThatIsNone) {
  const Ran ran = catalog("h100");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("gpus\n"), HasSubstr("h100-sxm5-80gb"), HasSubstr("servers\n"),
                    HasSubstr("dgx-h100"), HasSubstr("profiles\n"), HasSubstr("nvidia_h100-3-40c"),
                    HasSubstr("calibrations\n"), HasSubstr("h100-nvswitch")));
  EXPECT_EQ(catalog("xe9680").out, catalog("servers dell-xe9680").out) << "only one of all kinds";
}

TEST_F(CatalogCommand, NamesTheNearestOfAnUnknownWord) {
  const Ran gpu = catalog("gpus h10");
  EXPECT_EQ(gpu.exit_code, 2);
  EXPECT_THAT(gpu.err, HasSubstr("vgsim catalog gpus lists"));
  const Ran kind = catalog("profils");
  EXPECT_EQ(kind.exit_code, 2);
  EXPECT_THAT(kind.err, HasSubstr("did you mean \"profiles\""));
}

TEST_F(CatalogCommand, WritesJson) {
  const json one = json::parse(catalog("networks llama-3-8b --format json").out);
  EXPECT_EQ(one["entry"]["transformer"]["layers"], 32);
  const json some = json::parse(catalog("gpus h100 --format json").out);
  EXPECT_EQ(some["gpus"]["h100-sxm5-80gb"]["entry"]["memory"]["value"], "80 GiB");
  EXPECT_TRUE(
      json::parse(catalog("--format json").out)["rules"]["rules"].contains("mmio-too-small"));
  EXPECT_TRUE(json::parse(catalog("profiles --format json").out)["boards"].contains("h100"));
}

}  // namespace catalog_command_test
}  // namespace vgsim
