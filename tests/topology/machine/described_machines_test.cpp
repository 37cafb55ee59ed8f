#include <gmock/gmock.h>

#include <filesystem>

#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/importers/nccl/nccl_xml_writer.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/path_classes.hpp"

// The machines that NCCL's decisions are compared on, as dumps of NCCL that we write.

namespace vgsim::topology::inventory {
namespace described_machines_test {

Inventory read_back(const std::string& text) {
  return read_topology_file(input::make_source("host.json", text)).value();
}

TEST(DescribedMachines, ComeBackFromADumpAsTheyWere) {
  std::size_t machines = 0;
  const std::filesystem::path folder =
      VGSIM_SOURCE_DIR "/tests/models/collectives/nccl/decisions/machines";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const auto source = input::load_source(entry.path().string());
    ASSERT_TRUE(source);
    const auto host = read_topology_file(*source);
    ASSERT_TRUE(host) << input::render(host.error());
    const std::string dump = to_nccl_xml(*host);
    const auto again = read_nccl_xml(input::make_source("host.xml", dump));
    ASSERT_TRUE(again) << input::render(again.error());
    EXPECT_EQ(path_classes(*again).cells, path_classes(*host).cells);
    EXPECT_EQ(gpus_in_order(*again).size(), gpus_in_order(*host).size());
    EXPECT_EQ(to_nccl_xml(read_back(to_topology_text(*again))), dump);
    ++machines;
  }
  EXPECT_EQ(machines, 34u);
}

}  // namespace described_machines_test
}  // namespace vgsim::topology::inventory
