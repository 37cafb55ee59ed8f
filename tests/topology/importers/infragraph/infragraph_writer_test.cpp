#include "topology/importers/infragraph/infragraph_writer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/extra.hpp"
#include "tests/topology/inventory/made_hosts.hpp"
#include "topology/importers/infragraph/infragraph.hpp"
#include "topology/importers/nccl/nccl_inventory.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/inventory/device_names.hpp"
#include "topology/inventory/path_classes.hpp"

namespace vgsim::topology {
namespace infragraph_writer_test {

namespace fs = std::filesystem;
using inventory::Device;
using inventory::DeviceKind;
using inventory::Inventory;
using inventory::testing::told;
using nlohmann::json;

Inventory read_back(const std::string& text) {
  auto hosts = read_infragraph(input::make_source("t.json", text));
  if (!hosts) throw std::runtime_error(input::render(hosts.error()));
  if (hosts->size() != 1) throw std::runtime_error("not one host");
  return std::move(hosts->front());
}

/// A tree as text: kinds, bus ids, links and what hangs below.
std::string tree_text(const std::vector<Device>& devices) {
  std::string text;
  for (const Device& device : devices) {
    text += fmt::format("({} {}", static_cast<int>(device.kind), device.bus_id);
    if (device.name) text += " " + device.name->value;
    if (device.link) {
      text += fmt::format(" {}x{}", device.link->value.generation, device.link->value.lanes);
    }
    if (device.root_complex) text += " root " + device.root_complex->value;
    for (const auto& port : device.ports) text += port.name ? " " + port.name->value : " port";
    text += tree_text(device.below) + ")";
  }
  return text;
}

std::vector<std::string> trees(const Inventory& host) {
  std::vector<std::string> all;
  for (const auto& node : host.numa_nodes) {
    all.push_back(tree_text(node.devices) + " without " + tree_text(node.without_pcie));
  }
  all.push_back("unplaced " + tree_text(host.unplaced));
  return all;
}

std::vector<std::string> nvlinks(const Inventory& host) {
  std::vector<std::string> all;
  for (const Device* gpu : inventory::gpus_in_order(host)) {
    std::set<std::string> links;
    for (const auto& link : gpu->gpu->nvlinks) {
      links.insert(fmt::format("{} x{} {}", link.target.value, link.count.value,
                               link.gigabytes_per_second ? link.gigabytes_per_second->value : 0.0));
    }
    all.push_back(fmt::format("{}", fmt::join(links, ", ")));
  }
  return all;
}

TEST(InfragraphWriter, AHostOfEightGpusComesBack) {
  const Inventory host = inventory::testing::eight_gpu_host();
  const Inventory back = read_back(to_infragraph(host));
  EXPECT_EQ(trees(back), trees(host));
  EXPECT_EQ(nvlinks(back), nvlinks(host));
  EXPECT_EQ(inventory::path_classes(back).cells, inventory::path_classes(host).cells);
  EXPECT_EQ(back.name, host.name) << "though names of the schema have no points";
  EXPECT_EQ(back.vendor, host.vendor);
  EXPECT_EQ(back.model, host.model);
  EXPECT_EQ(back.numa_nodes[1].id, host.numa_nodes[1].id);
  EXPECT_EQ(back.numa_nodes[1].package, host.numa_nodes[1].package);
  EXPECT_EQ(back.numa_nodes[1].cpu_name, host.numa_nodes[1].cpu_name);
  EXPECT_TRUE(back.warnings.empty());
}

/// The name pattern of the schema.
bool is_schema_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view(" -_()><[]").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

/// What the schema requires of a device, and what its text says of references.
void expect_device_fits(const json& device) {
  std::map<std::string, std::int64_t> counts;
  std::set<std::string> links;
  for (const json& component : device.at("components")) {
    EXPECT_TRUE(is_schema_name(component.at("name"))) << component;
    EXPECT_TRUE(counts.emplace(component.at("name"), component.at("count")).second) << component;
    const std::string choice = component.at("choice");
    EXPECT_TRUE(component.at(choice).is_object()) << component;
    EXPECT_EQ(component.at(choice).contains("type"), choice == "custom") << component;
  }
  for (const json& link : device.at("links")) {
    EXPECT_TRUE(is_schema_name(link.at("name"))) << link;
    EXPECT_TRUE(links.insert(link.at("name")).second) << link;
    if (!link.contains("physical")) continue;
    const json& bandwidth = link.at("physical").at("bandwidth");
    EXPECT_TRUE(bandwidth.at(bandwidth.at("choice").get<std::string>()).is_number());
  }
  for (const json& edge : device.at("edges")) {
    EXPECT_TRUE(links.contains(edge.at("link"))) << edge;
    EXPECT_TRUE(edge.at("scheme") == "one2one" || edge.at("scheme") == "many2many");
    for (const char* end : {"ep1", "ep2"}) {
      const std::string text = edge.at(end).at("component");
      const std::size_t bracket = std::min(text.find('['), text.size());
      ASSERT_TRUE(counts.contains(text.substr(0, bracket))) << edge;
      if (bracket == text.size()) continue;
      EXPECT_LT(std::stoll(text.substr(bracket + 1)), counts.at(text.substr(0, bracket))) << edge;
    }
  }
}

void expect_fits_schema(const std::string& text) {
  const json document = json::parse(text);
  const json& infrastructure =
      document.contains("infrastructure") ? document.at("infrastructure") : document;
  EXPECT_TRUE(is_schema_name(infrastructure.at("name")));
  ASSERT_EQ(infrastructure.at("devices").size(), 1u);
  const json& device = infrastructure.at("devices").front();
  EXPECT_TRUE(is_schema_name(device.at("name")));
  expect_device_fits(device);
  const json& instance = infrastructure.at("instances").at(0);
  EXPECT_EQ(instance.at("device"), device.at("name"));
  EXPECT_EQ(instance.at("count"), 1);
  // Names that the API derives itself must not be annotated.
  for (const json& node : document.value("annotations", json::object()).value("nodes", json())) {
    for (const json& attribute : node.at("attributes")) {
      for (const char* own : {"type", "instance", "instance_idx", "device", "link"}) {
        EXPECT_NE(attribute.at("attribute"), own);
      }
      EXPECT_TRUE(attribute.at("value").is_string());
    }
  }
}

TEST(InfragraphWriter, WhatIsWrittenFitsTheSchema) {
  expect_fits_schema(to_infragraph(inventory::testing::eight_gpu_host()));
  Inventory odd = inventory::testing::eight_gpu_host();
  odd.name = told<std::string>("...");
  odd.model = told<std::string>("R\xc3\xa4ttel \"quoted\" [4.2]\n");
  odd.numa_nodes[0].devices[0].name = told<std::string>("\xff\xfe broken");
  expect_fits_schema(to_infragraph(odd));
}

TEST(InfragraphWriter, GpuThreeIsXpuThree) {
  Inventory host = inventory::testing::eight_gpu_host();
  std::swap(host.numa_nodes[0], host.numa_nodes[1]);
  const json document = json::parse(to_infragraph(host));
  for (const json& node : document.at("annotations").at("nodes")) {
    if (node.at("name") != "gpu01_example_com.0.xpu.3") continue;
    EXPECT_EQ(node.at("attributes").at(0).at("value"), "0000:33:00.0");
    return;
  }
  FAIL() << "GPU 3 is not annotated";
}

TEST(InfragraphWriter, LinksSayHowManyNvlinksAnEdgeIs) {
  const infragraph::Document document = infragraph_document(inventory::testing::eight_gpu_host());
  const auto& links = document.devices.at(0).links;
  const auto found = std::find_if(links.begin(), links.end(),
                                  [](const auto& link) { return link.name == "nvlink_x18"; });
  ASSERT_NE(found, links.end());
  EXPECT_EQ(found->description, "18 NVLinks, 25 GB/s each in one direction");
  EXPECT_DOUBLE_EQ(found->bandwidth->value, 450.0);
}

TEST(InfragraphWriter, NothingThatWasAssumedBecomesTold) {
  Inventory host = inventory::testing::eight_gpu_host();
  const PcieWidth link{5, 16};
  Device gpu = inventory::testing::gpu(8, inventory::placeholder_bus_id(DeviceKind::kGpu, 8), link);
  gpu.gpu->index->source = inventory::kAssumed;
  host.numa_nodes[0].devices.push_back(gpu);
  host.numa_nodes[0].id->source = inventory::kAssumed;
  const std::string text = to_infragraph(host);
  EXPECT_EQ(text.find("fff0:"), text.npos);
  const Inventory back = read_back(text);
  EXPECT_EQ(back.numa_nodes[0].id->source, inventory::kAssumed);
  EXPECT_EQ(inventory::gpus_in_order(back).size(), 9u);
}

TEST(InfragraphWriter, PeersOutsideTheHostAndLoopsAreLeftOut) {
  Inventory host = inventory::testing::eight_gpu_host();
  Device& gpu = host.numa_nodes[0].devices[0].below[0];
  gpu.gpu->nvlinks.clear();
  inventory::testing::add_nvlinks(gpu, gpu.bus_id, 4);
  inventory::testing::add_nvlinks(gpu, "0001:00:00.0", 4);
  const std::string text = to_infragraph(host);
  expect_fits_schema(text);
  EXPECT_EQ(nvlinks(read_back(text)).front(), "");
}

/// Random hosts as dumps could give them.
class RandomHost {
 public:
  [[nodiscard]] Inventory make() {
    const int nodes = *rc::gen::inRange(1, 5);
    for (int n = 0; n < nodes; ++n) {
      inventory::NumaNode node;
      node.id = told<std::int64_t>(n);
      node.package = told<std::int64_t>(n / 2);
      if (chance()) node.cpu_name = told<std::string>(n % 2 == 0 ? "Fast CPU" : "Slow CPU");
      const int devices = *rc::gen::inRange(0, 4);
      const bool tells_roots = chance();
      for (int d = 0; d < devices; ++d) {
        node.devices.push_back(device(3));
        if (tells_roots) node.devices.back().root_complex = told(fmt::format("0000:{:02x}", d / 2));
      }
      if (chance()) {
        node.without_pcie.push_back(nic());
        node.without_pcie.back().link.reset();
      }
      host_.numa_nodes.push_back(std::move(node));
    }
    if (gpus_ == 0) host_.numa_nodes[0].devices.push_back(gpu());
    link_gpus();
    return std::move(host_);
  }

 private:
  static bool chance() { return *rc::gen::arbitrary<bool>(); }

  std::string bus_id() { return fmt::format("0000:{:02x}:00.0", ++buses_); }
  static PcieWidth width() {
    return {*rc::gen::inRange<std::int64_t>(1, 7), *rc::gen::element<std::int64_t>(1, 4, 8, 16)};
  }
  Device gpu() {
    Device made = inventory::testing::gpu(gpus_++, bus_id(), width());
    made.name = told<std::string>(chance() ? "Large GPU" : "Small GPU");
    return made;
  }
  Device nic() { return inventory::testing::nic(fmt::format("mlx5_{}", nics_++), "", width()); }
  Device device(int depth) {
    const int kind = *rc::gen::inRange(0, depth > 0 ? 5 : 3);
    Device made = kind == 0 ? gpu() : kind == 1 ? nic() : inventory::testing::bridge("", width());
    if (kind == 2) made.kind = DeviceKind::kStorage;
    if (kind == 1) made.bus_id = bus_id();
    if (kind >= 3) {
      made.bus_id = bus_id();
      const int below = *rc::gen::inRange(0, 4);
      for (int i = 0; i < below; ++i) made.below.push_back(device(depth - 1));
    }
    if (chance()) made.link.reset();
    return made;
  }

  void link_gpus() {
    std::vector<Device*> gpus;
    inventory::for_each_device(host_, [&](Device& device) {
      if (device.kind == DeviceKind::kGpu) gpus.push_back(&device);
    });
    const bool xgmi = chance();
    for (Device* gpu : gpus) gpu->gpu->xgmi = xgmi;
    if (chance()) {
      const auto count = *rc::gen::inRange<std::int64_t>(1, 19);
      for (Device* gpu : gpus) {
        gpu->gpu->xgmi = false;
        inventory::testing::add_nvlinks(*gpu, inventory::kHiddenNvSwitch, count);
      }
      return;
    }
    for (std::size_t a = 0; a < gpus.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const auto count = *rc::gen::inRange<std::int64_t>(0, 5);
        if (count == 0) continue;
        inventory::testing::add_nvlinks(*gpus[a], gpus[b]->bus_id, count);
        inventory::testing::add_nvlinks(*gpus[b], gpus[a]->bus_id, count);
      }
    }
  }

  Inventory host_;
  int buses_ = 0;
  std::int64_t gpus_ = 0;
  int nics_ = 0;
};

RC_GTEST_PROP(InfragraphRoundTrip, TreesPathsAndNvlinksComeBack, ()) {
  const Inventory host = RandomHost().make();
  const std::string text = to_infragraph(host);
  expect_fits_schema(text);
  const Inventory back = read_back(text);
  RC_ASSERT(trees(back) == trees(host));
  RC_ASSERT(nvlinks(back) == nvlinks(host));
  RC_ASSERT(inventory::path_classes(back).cells == inventory::path_classes(host).cells);
  RC_ASSERT(to_infragraph(back) == text);
}

using ExtraInfragraphRoundTrip = test::NeedsExtraFiles;

/// Real dumps of NCCL, by way of InfraGraph and back.
TEST_F(ExtraInfragraphRoundTrip, RealHostsKeepTheirPaths) {
  std::size_t hosts = 0;
  for (const auto& entry : fs::directory_iterator(test::extra_files() / "topologies/nccl-xml")) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const auto system = parse_nccl_xml(
        input::make_source("host.xml", {std::istreambuf_iterator<char>(file), {}}), NcclGpus::kAny);
    if (!system) continue;
    for (const Inventory& host : inventory::from_nccl(*system)) {
      const std::string text = to_infragraph(host);
      expect_fits_schema(text);
      if (inventory::gpus_in_order(host).empty()) continue;
      ++hosts;
      const Inventory back = read_back(text);
      EXPECT_EQ(inventory::path_classes(back).names, inventory::path_classes(host).names);
      EXPECT_EQ(inventory::path_classes(back).cells, inventory::path_classes(host).cells);
      EXPECT_EQ(to_infragraph(back), text);
    }
  }
  EXPECT_GE(hosts, 60u);
}

}  // namespace infragraph_writer_test
}  // namespace vgsim::topology
