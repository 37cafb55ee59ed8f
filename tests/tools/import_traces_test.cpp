// Networks imported from traces, run on machines like the traced ones: the result is the traced
// step time.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/extra.hpp"
#include "tests/tools/program.hpp"

namespace vgsim {
namespace import_traces_test {

using nlohmann::json;

class ExtraImportedTraces : public test::NeedsExtraFiles {
 protected:
  /// Seconds of an iteration of a network from two traces, on that host.
  double iteration(const std::string& execution, const std::string& profile, const std::string& gpu,
                   const json& host) const {
    const std::string folder = (test::extra_files() / "traces").string() + "/";
    const test::Ran import = test::run_program(
        scratch_, "import " + folder + execution + " " + folder + profile +
                      " --name traced --gpu " + gpu + " -o " + scratch_.file("traced.json"));
    EXPECT_EQ(import.exit_code, 0) << import.err;
    const std::size_t job = import.err.find("{\"network\"");
    EXPECT_NE(job, import.err.npos) << import.err;
    json scenario = {
        {"name", "traced"},
        {"hosts", {{"h", host}}},
        {"job", json::parse(import.err.substr(job, import.err.find('}', job) + 1 - job))}};
    scenario["job"]["network"] = "traced.json";
    scenario["job"]["samples_per_epoch"] = 51200;
    const test::Ran run = test::run_program(
        scratch_, "run --format json " + scratch_.write("scenario.json", scenario.dump()));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return json::parse(run.out)["layouts"]["traced"]["iteration_time_s"].get<double>();
  }

 private:
  const test::Scratch scratch_;
};

// Measured: medians of the times between steps of the optimizer, of 39 and of three.
TEST_F(ExtraImportedTraces, OfLinearLayersOnAnRtx2080TiRunAsTheyRan) {
  const double predicted =
      iteration("chakra/param-linear_et.json.gz", "kineto/param-linear_kineto.json.gz",
                "rtx-2080-ti", {{"server", "dell-r750xa"}, {"gpus", "1 x rtx-2080-ti"}});
  EXPECT_NEAR(predicted / 24.5e-3, 1.0, 0.15);
}

TEST_F(ExtraImportedTraces, OfResNet50OnTwoA100RunAsTheyRan) {
  const double predicted =
      iteration("chakra/param-1.0.3-chakra.0.0.4-resnet_1gpu_et.json.gz",
                "kineto/hta-nccl_parser_config-nccl_data.json.gz", "a100-sxm4-40gb",
                {{"server", "dgx-a100"}, {"gpus", "2 x a100-sxm4-40gb"}});
  EXPECT_NEAR(predicted / 222.4e-3, 1.0, 0.15);
}

}  // namespace import_traces_test
}  // namespace vgsim
