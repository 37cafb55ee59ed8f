// Other values at places of a scenario.

#include "models/scenario/read/overrides.hpp"

#include <gmock/gmock.h>

#include <map>

#include "models/scenario/read/layouts.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace overrides_test {

using input::Diagnostics;
using input::Value;

Value document(const std::string& text) {
  return *input::read_json(input::make_source("scenario.json", text));
}

std::string changed(const std::string& text, const std::vector<std::string>& settings) {
  std::vector<scenario::Override> overrides;
  for (const std::string& each : settings) overrides.push_back(*scenario::read_override(each));
  Diagnostics diagnostics;
  const auto value = scenario::with_overrides(document(text), overrides, diagnostics);
  return diagnostics.has_errors() ? "error" : value.canonical();
}

std::string plain(const std::string& text) { return input::to_canonical_string(document(text)); }

TEST(Overrides, SetOneValue) {
  EXPECT_EQ(changed(R"({"job": {"batch_per_gpu": 32}})", {"/job/batch_per_gpu=64"}),
            plain(R"({"job": {"batch_per_gpu": 64}})"));
}

TEST(Overrides, TakeTextThatIsNoJsonAsText) {
  EXPECT_EQ(changed("{}", {"/fabric/host_link=200 Gbit/s"}),
            plain(R"({"fabric": {"host_link": "200 Gbit/s"}})"));
  EXPECT_EQ(changed("{}", {"/job/overlap=false", R"(/job/ranks=["a", "b"])"}),
            plain(R"({"job": {"overlap": false, "ranks": ["a", "b"]}})"));
}

TEST(Overrides, ReachOneHostOfARange) {
  const std::string text = R"({"hosts": {"esx[1-3]": {"gpus": "1 x t4"}}})";
  EXPECT_EQ(changed(text, {"/hosts/esx2/gpus=2 x t4"}),
            plain(R"({"hosts": {"esx1": {"gpus": "1 x t4"}, "esx2": {"gpus": "2 x t4"},
                                "esx3": {"gpus": "1 x t4"}}})"));
  EXPECT_EQ(changed(text, {"/hosts/esx[1-2]/gpus=2 x t4"}),
            plain(R"({"hosts": {"esx1": {"gpus": "2 x t4"}, "esx2": {"gpus": "2 x t4"},
                                "esx3": {"gpus": "1 x t4"}}})"));
}

TEST(Overrides, ReachAllOfThem) {
  EXPECT_EQ(changed(R"({"hosts": {"h[1-2]": {"nics": {"a": {"nic": "x"}, "b": {"nic": "x"}}}}})",
                    {"/hosts/*/nics/*/nic=y"}),
            plain(R"({"hosts": {"h1": {"nics": {"a": {"nic": "y"}, "b": {"nic": "y"}}},
                                "h2": {"nics": {"a": {"nic": "y"}, "b": {"nic": "y"}}}}})"));
}

TEST(Overrides, TakeAwayWithNull) {
  EXPECT_EQ(changed(R"({"vms": {"v[1-2]": {"vcpus": 8}}})", {"/vms/v2=null"}),
            plain(R"({"vms": {"v1": {"vcpus": 8}}})"));
}

TEST(Overrides, ThatTakeAwayMakeNothing) {
  EXPECT_EQ(changed(R"({"job": {}})", {"/vms/v2/vcpus=null", "/job/overlap=null"}),
            plain(R"({"job": {}})"));
}

TEST(Overrides, ReachElementsOfArrays) {
  const std::string text = R"({"faults": [{"share": 0.1}, {"share": 0.2}]})";
  EXPECT_EQ(changed(text, {"/faults/1/share=0.5"}),
            plain(R"({"faults": [{"share": 0.1}, {"share": 0.5}]})"));
  EXPECT_EQ(changed(text, {"/faults/*/share=0"}),
            plain(R"({"faults": [{"share": 0}, {"share": 0}]})"));
  EXPECT_EQ(changed(R"({"faults": []})", {"/faults/-/share=1"}),
            plain(R"({"faults": [{"share": 1}]})"));
  EXPECT_EQ(changed(text, {"/faults/2/share=1"}), "error");
}

TEST(Overrides, ReachKeysWithSlashes) {
  EXPECT_EQ(changed("{}", {"/variability/stragglers/esx01~1gpu0=1.3"}),
            plain(R"({"variability": {"stragglers": {"esx01/gpu0": 1.3}}})"));
}

TEST(Overrides, ReachALayout) {
  EXPECT_EQ(changed(R"({"layouts": {"vgpu": {"vms": {"v[1-2]": {"vcpus": 8}}}}})",
                    {"/layouts/vgpu/vms/v1/vcpus=4"}),
            plain(R"({"layouts": {"vgpu": {"vms": {"v1": {"vcpus": 4}, "v2": {"vcpus": 8}}}}})"));
}

/// What is wrong with settings of a document.
std::string complaint(const std::string& text, const std::string& setting) {
  Diagnostics diagnostics;
  static_cast<void>(
      scenario::with_overrides(document(text), {*scenario::read_override(setting)}, diagnostics));
  return input::render(diagnostics);
}

TEST(Overrides, ReachWhatALayoutAdds) {
  const std::string text = R"({"vms": {"v1": {"vcpus": 8}},
      "layouts": {"one": {}, "two": {"vms": {"v2": {"vcpus": 8}, "v3": {"guest_topology": "flat"}}}}})";
  EXPECT_EQ(changed(text, {"/vms/*/guest_topology=topo_file"}),
            plain(R"({"vms": {"v1": {"vcpus": 8, "guest_topology": "topo_file"}},
                      "layouts": {"one": {}, "two": {"vms": {
                          "v2": {"vcpus": 8, "guest_topology": "topo_file"},
                          "v3": {"guest_topology": "topo_file"}}}}})"));
}

TEST(Overrides, ReachVmsThatOnlyALayoutHas) {
  const std::string text =
      R"({"hosts": {"h": {}}, "layouts": {"a": {"vms": {"v[1-2]": {"vcpus": 8}}}}})";
  const std::string both = plain(
      R"({"hosts": {"h": {}}, "layouts": {"a": {"vms": {"v1": {"vcpus": 4}, "v2": {"vcpus": 4}}}}})");
  EXPECT_EQ(changed(text, {"/vms/*/vcpus=4"}), both);
  EXPECT_EQ(changed(text, {"/vms/v[1-2]/vcpus=4"}), both);
  EXPECT_EQ(changed(text, {"/vms/v2/vcpus=4"}), plain(R"({"hosts": {"h": {}},
                      "layouts": {"a": {"vms": {"v1": {"vcpus": 8}, "v2": {"vcpus": 4}}}}})"));
}

TEST(Overrides, GoBeforeWhatALayoutSays) {
  EXPECT_EQ(changed(R"({"job": {"batch_per_gpu": 8},
                        "layouts": {"a": {}, "b": {"job": {"batch_per_gpu": 16}}}})",
                    {"/job/batch_per_gpu=32"}),
            plain(R"({"job": {"batch_per_gpu": 32},
                      "layouts": {"a": {}, "b": {"job": {"batch_per_gpu": 32}}}})"));
}

TEST(Overrides, LeaveAloneWhatALayoutTakesAway) {
  const std::string text = R"({"vms": {"v1": {"vcpus": 8}, "v2": {"vcpus": 8}},
                               "layouts": {"a": {"vms": {"v2": null}}}})";
  EXPECT_EQ(changed(text, {"/vms/*/vcpus=4"}),
            plain(R"({"vms": {"v1": {"vcpus": 4}, "v2": {"vcpus": 4}},
                      "layouts": {"a": {"vms": {"v2": null}}}})"));
}

TEST(Overrides, TakeAwayWhatALayoutSaysToo) {
  EXPECT_EQ(
      changed(R"({"fabric": {"kind": "rails", "spines": 2},
                        "layouts": {"a": {"fabric": {"spines": 4}}}})",
              {"/fabric/spines=null"}),
      plain(R"({"fabric": {"kind": "rails"}, "layouts": {"a": {"fabric": {"spines": null}}}})"));
}

TEST(Overrides, OfAnUnknownNameAreErrorsWithTheNearestOne) {
  const std::string text = R"({"hosts": {"esx[01-02]": {"nics": {"vmnic4": {"nic": "x"}}}},
      "vms": {"train01": {}}, "layouts": {"passthrough": {}, "vgpu": {"vms": {"user01": {}}}}})";
  for (const auto& [setting, near] :
       std::map<std::string, std::string>{{"/hosts/esx01/nics/vmnic5/nic=y", "vmnic4"},
                                          {"/hosts/*/nics/vmnic5/nic=y", "vmnic4"},
                                          {"/hosts/esx03/gpus=1 x t4", "esx01"},
                                          {"/vms/train02/vcpus=4", "train01"},
                                          {"/vms/usr01/vcpus=4", "user01"},
                                          {"/layouts/vgpuu/vms/user01/vcpus=4", "vgpu"}}) {
    EXPECT_THAT(complaint(text, setting), testing::HasSubstr("did you mean \"" + near + "\""))
        << setting;
  }
}

TEST(Overrides, MakeANewThingOfAllThatItIs) {
  EXPECT_EQ(changed(R"({"hosts": {"h": {"nics": {"a": {"nic": "x"}}}}})",
                    {R"(/hosts/h/nics/b={"nic": "y"})", "/hosts/h/nics/b/near=gpu0"}),
            plain(R"({"hosts": {"h": {"nics": {"a": {"nic": "x"},
                                              "b": {"nic": "y", "near": "gpu0"}}}}})"));
}

TEST(Overrides, MakeAPartOfANewThingWhereToldTo) {
  const std::string text = R"({"hosts": {"h": {"nics": {"a": {"nic": "x"}}}}})";
  EXPECT_EQ(changed(text, {"/hosts/h/nics/b/nic=y"}), "error");
  EXPECT_EQ(changed(text, {"+/hosts/h/nics/b/nic=y"}),
            plain(R"({"hosts": {"h": {"nics": {"a": {"nic": "x"}, "b": {"nic": "y"}}}}})"));
}

TEST(Overrides, MakeNothingThatIsCalledLikeAPattern) {
  const std::string text = R"({"hosts": {"esx[01-02]": {"gpus": "1 x t4"}}})";
  for (const char* setting : {"+/hosts/esx*/gpus=2 x t4", "/hosts/esx*/gpus=2 x t4",
                              R"(/hosts/esx*={"server": "s"})", "+/vms/train*/vcpus=4"}) {
    EXPECT_THAT(complaint(text, setting), testing::HasSubstr("is not a name")) << setting;
  }
  EXPECT_EQ(changed(text, {"+/expect/esx*/refused=true"}),
            plain(R"({"hosts": {"esx[01-02]": {"gpus": "1 x t4"}},
                      "expect": {"esx*": {"refused": true}}})"));
}

TEST(Overrides, OfManyMachinesAreThoseOfEachAlone) {
  const std::string text = R"({"hosts": {"h[1-3]": {"acs": true, "nics": {"n": {"nic": "x"}}}},
                               "vms": {"v[1-3]": {"vcpus": 8}}, "fabric": {"spines": 2}})";
  EXPECT_EQ(changed(text, {"/hosts/h1/nics/n/nic=y", "/vms/v1/vcpus=4", "/hosts/h2/acs=null",
                           "/hosts/h3=null", "/fabric/spines=4", "/vms/v2/nics/n=sriov",
                           "/hosts/h2/nics/*/nic=z", R"(/hosts/h3={"acs": false})"}),
            plain(R"({"hosts": {"h1": {"acs": true, "nics": {"n": {"nic": "y"}}},
                                "h2": {"nics": {"n": {"nic": "z"}}}, "h3": {"acs": false}},
                      "vms": {"v1": {"vcpus": 4}, "v2": {"vcpus": 8, "nics": {"n": "sriov"}},
                              "v3": {"vcpus": 8}}, "fabric": {"spines": 4}})"));
  EXPECT_EQ(changed(text, {"/hosts/h1/acs=null", "/hosts/h4/acs=true"}), "error");
}

TEST(Overrides, TakeANumberAsItIsWrittenWhereATextBelongs) {
  EXPECT_EQ(changed(R"({"vsphere": "8.0U2"})", {"/vsphere=9.0"}), plain(R"({"vsphere": "9.0"})"));
  EXPECT_EQ(changed(R"({"job": {"batch_per_gpu": 32}})", {"/job/batch_per_gpu=9"}),
            plain(R"({"job": {"batch_per_gpu": 9}})"));
}

TEST(Overrides, TellWhatTheyStoodFor) {
  const std::string text = R"({"vms": {"v1": {"vcpus": 8}, "v2": {}},
      "layouts": {"a": {"vms": {"v3": {"vcpus": 8}}}}})";
  Diagnostics none;
  std::vector<std::string> matched;
  static_cast<void>(scenario::with_overrides(
      document(text),
      {*scenario::read_override("/vms/*/vcpus=4"), *scenario::read_override("/name=x")}, none,
      &matched));
  EXPECT_THAT(matched, testing::ElementsAre("/vms/*/vcpus: 3 places (/vms/v1/vcpus and 2 more)"));
}

TEST(Overrides, ThatLeadNowhereAreErrors) {
  EXPECT_EQ(changed(R"({"name": "x"})", {"/name/first=y"}), "error");
  EXPECT_EQ(changed(R"({"hosts": {}})", {"/hosts/*/gpus=1 x t4"}), "error");
  for (const char* text : {"job/batch=1", "/job/batch", "/job/~2=1", "=1", ""}) {
    EXPECT_FALSE(scenario::read_override(text)) << text;
  }
}

}  // namespace overrides_test
}  // namespace vgsim
