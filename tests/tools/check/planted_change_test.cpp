#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <regex>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace planted_change_test {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using ::testing::HasSubstr;

/// A constant of the shipped model, and a scenario that depends on it.
struct Planted {
  const char* constant;  ///< as in the report of the check
  const char* file;      ///< in configs/
  const char* pointer;   ///< to its value
  const char* scenario;  ///< in configs/scenarios/
  const char* layout;
  const char* figure;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.constant; }

/// "22.032 us", 2 % more than "21.6 us".
ordered_json two_percent_more(const ordered_json& value) {
  if (value.is_number()) return value.get<double>() * 1.02;
  const std::string text = value.get<std::string>();
  std::size_t unit = 0;
  const double number = std::stod(text, &unit) * 1.02;
  std::ostringstream changed;
  changed.precision(12);
  changed << number << text.substr(unit);
  return changed.str();
}

/// A copy of the shipped configs folder, with its scenarios and baselines.
class PlantedChange : public ::testing::TestWithParam<Planted> {
 protected:
  PlantedChange() {
    fs::copy(std::string(VGSIM_SOURCE_DIR) + "/configs", configs_, fs::copy_options::recursive);
    ::setenv("VGSIM_CONFIGS", configs_.c_str(), 1);
  }
  ~PlantedChange() override { ::unsetenv("VGSIM_CONFIGS"); }

  void plant() {
    const std::string path = configs_ + "/" + GetParam().file;
    ordered_json document = ordered_json::parse(test::read_file(path));
    ordered_json& value = document.at(ordered_json::json_pointer(GetParam().pointer));
    value = two_percent_more(value);
    std::ofstream(path) << document.dump(1);
  }

  test::Ran check(const std::string& options) {
    return test::run_program(scratch_, "check " + configs_ + "/scenarios/" + GetParam().scenario +
                                           " --baseline " + configs_ + "/scenarios/baselines " +
                                           options);
  }

  test::Scratch scratch_;
  std::string configs_ = scratch_.file("configs");
};

TEST_P(PlantedChange, OfTwoPercentIsCaughtInAllForms) {
  ASSERT_EQ(check("").exit_code, 0) << "the shipped baselines hold";
  plant();
  const test::Ran ran = check("--format github --junit " + scratch_.file("junit.xml"));
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const std::string text = ran.out.substr(0, ran.out.find("::error"));
  const std::string annotations = ran.out.substr(text.size());
  EXPECT_THAT(text,
              HasSubstr(std::string("FAIL    ") + configs_ + "/scenarios/" + GetParam().scenario));
  for (const std::string& form : {text, annotations}) {
    EXPECT_THAT(form, HasSubstr(GetParam().scenario));
    EXPECT_THAT(form, HasSubstr(GetParam().layout));
    EXPECT_THAT(form, HasSubstr(GetParam().figure));
    EXPECT_THAT(form, HasSubstr(GetParam().constant));
  }
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file(scratch_.file("junit.xml").c_str()));
  const std::string failure = "//testsuite[contains(@name, '" + std::string(GetParam().scenario) +
                              "')]/testcase[@name='" + GetParam().layout + "']/failure";
  const auto found = junit.select_node(failure.c_str());
  ASSERT_TRUE(found);
  EXPECT_THAT(found.node().text().get(), HasSubstr(GetParam().figure));
  EXPECT_THAT(found.node().text().get(), HasSubstr(GetParam().constant));
}

INSTANTIATE_TEST_SUITE_P(
    Constants, PlantedChange,
    ::testing::Values(
        Planted{"rdma_simple_step_latency", "parameters/nccl.json",
                "/parameters/rdma_simple_step_latency/value", "imported-dgx-a100.json",
                "VM, topology file", "time_s@"},
        Planted{"nic_rate_factor", "parameters/links.json", "/parameters/nic_rate_factor/value",
                "bert-large-4xr750xa.json", "passthrough", "exposed_communication_s"},
        Planted{"rdma_rate_spread", "parameters/nccl.json", "/parameters/rdma_rate_spread/high",
                "imported-dgx-a100.json", "bare metal", "high end"},
        Planted{"layer_share", "parameters/training.json", "/parameters/layer_share/value",
                "resnet-50-imagenet.json", "bridged", "iteration_time_s"},
        Planted{"vgpu_compute_share", "parameters/vsphere.json",
                "/parameters/vgpu_compute_share/value", "bert-large-4xr750xa.json", "vgpu",
                "compute_s"},
        Planted{"link nic: rate", "catalog/nics.json",
                "/entries/connectx-7-ndr-400g/port_rate/value", "questions/q06-nics-per-host.json",
                "one per host", "time_s@"},
        Planted{"a100-pcie-80gb: memory bandwidth", "catalog/gpus.json",
                "/entries/a100-pcie-80gb/memory_bandwidth/value", "bert-large-4xr750xa.json",
                "passthrough", "iteration_time_s"}));

}  // namespace planted_change_test
}  // namespace vgsim
