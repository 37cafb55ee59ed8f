#include "models/scoring/kinds/kernel_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/kernels/kernel_gpu.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scoring/run_cases.hpp"
#include "tests/support/extra.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::scoring {
namespace kernel_tables_test {

using ::testing::HasSubstr;

const topology::Catalog& catalog() { return *test::library().catalog; }
const calibration::Parameters& parameters() { return test::library().parameters; }

std::vector<MeasuredKernel> read(const std::string& path) {
  return read_kernel_table(input::load_source(path).value(), catalog()).value();
}

std::vector<MeasuredKernel> committed(const char* name) {
  return read(std::string(VGSIM_SOURCE_DIR) + "/tests/kernel-tables/" + name);
}

std::string errors_of(const std::string& text) {
  const auto table = read_kernel_table(input::make_source("table.csv", text), catalog());
  return table ? "" : input::render(table.error());
}

/// Over all GPUs together.
ErrorSummary score_of(const char* kind, const std::vector<MeasuredKernel>& kernels,
                      const calibration::Parameters& constants) {
  scenario::Library library = test::library();
  library.parameters = constants;
  std::vector<ScoredCase> scored;
  for (const Case& each : kernel_cases(kernels)) {
    scored.push_back(run_case(each, {library, {}}).value());
  }
  return summarize(counted(scored), kind, Weighting::kRankedPoints);
}

/// With the datasheet's power limit instead of the architecture's measured sustained share.
calibration::Parameters without_offsets(const std::vector<MeasuredKernel>& kernels) {
  std::map<std::string, calibration::Uncertain> others;
  for (const MeasuredKernel& kernel : kernels) {
    const topology::GpuModel& gpu = catalog().gpus.at(kernel.gpu);
    const double watts =
        gpu.tdp_watts->value * 1e12 / static_cast<double>(gpu.peak.at("fp16").value.count());
    const double share =
        std::min(parameters().number("product_math_share"),
                 parameters().number("sustained_share_at_a_watt") *
                     std::pow(watts, parameters().number("sustained_share_power")));
    const std::string name = kernels::kernel_architecture(gpu) + "_fp16_sustained_share";
    others[name] = {share, share, share};
  }
  return parameters().with(others, "by the datasheet");
}

std::vector<MeasuredKernel> of_type(const std::string& type, std::vector<MeasuredKernel> kernels) {
  std::erase_if(kernels, [&](const MeasuredKernel& kernel) { return kernel.type != type; });
  return kernels;
}

TEST(KernelTables, ProductsOfTrainingAreNearWhatWasMeasured) {
  const ErrorSummary score = score_of("products", committed("matrix_products.csv"), parameters());
  EXPECT_GT(score.points, 1400U);
  EXPECT_LT(score.median, 0.07);
  EXPECT_LT(score.p90, 0.30);
  EXPECT_LT(score.median, score.null_model->median / 4) << "the datasheet only";
}

TEST(KernelTables, AttentionIsNearWhatWasMeasured) {
  const ErrorSummary score =
      score_of("attention", committed("attention_forward.csv"), parameters());
  EXPECT_GT(score.points, 800U);
  EXPECT_LT(score.median, 0.08);
  EXPECT_LT(score.p90, 0.32);
}

TEST(KernelTables, WithoutOffsetsTheDatasheetIsEnough) {
  const auto kernels = of_type("bf16", committed("matrix_products.csv"));
  const ErrorSummary score = score_of("products", kernels, without_offsets(kernels));
  EXPECT_LT(score.median, 0.10);
  EXPECT_LT(score.p90, 0.35);
}

class ExtraKernelTables : public test::NeedsExtraFiles {};

TEST_F(ExtraKernelTables, AllRowsAreAsNearAsTheCommittedOnes) {
  const std::string folder = (test::extra_files() / "cases" / "kernel-tables").string();
  const ErrorSummary products =
      score_of("products", read(folder + "/matrix_products.csv"), parameters());
  EXPECT_EQ(products.points, 5627U);
  EXPECT_LT(products.median, 0.07);
  EXPECT_LT(products.p90, 0.30);
  const ErrorSummary attention =
      score_of("attention", read(folder + "/attention_forward.csv"), parameters());
  EXPECT_LT(attention.median, 0.08);
  EXPECT_LT(attention.p90, 0.32);
}

TEST(KernelTable, TakesGpusAsPeopleCallThem) {
  const auto table = read_kernel_table(
      input::make_source("table.csv",
                         "gpu,dtype,m,n,k,time_us\nh100_sxm,bfloat16,1024,2048,4096,40\n"
                         "rtx_pro_6000_server,fp8,1,2,3,4.5\n"),
      catalog());
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->at(0).gpu, "h100-sxm5-80gb");
  EXPECT_EQ(table->at(0).type, "bf16");
  EXPECT_EQ(std::get<kernels::MatrixProduct>(table->at(0).work).k, 4096);
  EXPECT_DOUBLE_EQ(table->at(0).seconds, 40e-6);
  EXPECT_EQ(table->at(1).gpu, "rtx-pro-6000-bse");
  EXPECT_EQ(std::get<kernels::MatrixProduct>(table->at(1).work).operand_bytes, 1);
}

TEST(KernelTable, ReportsAllThatIsWrongWithItsPlace) {
  const std::string text = errors_of(
      "gpu,dtype,m,n,k,time_us\n"
      "h100,bf16,1,1,1,1\n"
      "h100_sxm,int4,1,1,1,1\n"
      "h100_sxm,bf16,0,1,,x\n");
  EXPECT_THAT(text, HasSubstr("table.csv:2:1: error E534: unknown or ambiguous GPU \"h100\""));
  EXPECT_THAT(text, HasSubstr("table.csv:3:10: error E534: dtype is \"int4\""));
  EXPECT_THAT(text, HasSubstr("table.csv:4:15: error E534: m is \"0\""));
  EXPECT_THAT(text, HasSubstr("no k"));
  EXPECT_THAT(text, HasSubstr("time_us is \"x\""));
}

TEST(KernelTable, NamesTheColumnsThatAreMissing) {
  EXPECT_THAT(errors_of("gpu,dtype,m,n\n"), HasSubstr("no column \"time_us\""));
  EXPECT_THAT(errors_of("gpu,dtype,m,n,k,time_us\n"), HasSubstr("only headings"));
}

}  // namespace kernel_tables_test
}  // namespace vgsim::scoring
