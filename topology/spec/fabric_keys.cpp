#include "topology/spec/fabric_keys.hpp"

#include "topology/input/record.hpp"

namespace vgsim::topology {

using namespace input;

Decoder<FabricSpec> fabric_decoder() {
  return record<FabricSpec>({
      key("kind", &FabricSpec::kind,
          words<FabricKind>({{"single-switch", FabricKind::kSingleSwitch},
                             {"leaf-spine", FabricKind::kLeafSpine},
                             {"rails", FabricKind::kRails}}))
          .required()
          .describe("single-switch: one non-blocking switch; leaf-spine: hosts spread over "
                    "leaves; rails: the n-th NIC of every host on the n-th leaf"),
      key("leaves", &FabricSpec::leaves, count(1, 100'000))
          .describe("leaf switches; of rails those of one group of hosts (see hosts_per_leaf)")
          .default_text("1; for rails one per NIC of a host"),
      key("hosts_per_leaf", &FabricSpec::hosts_per_leaf, count(1, 100'000))
          .describe(
              "of rails: number of hosts that share their leaves; each further group has separate "
              "leaves, and rails of different groups meet at the spines")
          .default_text("all hosts"),
      key("spines", &FabricSpec::spines, count(0, 100'000))
          .describe("spine switches")
          .default_text("1, and none beside a single switch"),
      key("host_link", &FabricSpec::host_link, rate(BytesPerSecond{1}))
          .describe("rate of a switch port towards a host")
          .default_text("the NIC's port rate")
          .examples({"100 Gbit/s"}),
      key("uplink", &FabricSpec::uplink, rate(BytesPerSecond{1}))
          .describe("rate of the link from one leaf to one spine")
          .default_text("enough that the leaf is not oversubscribed")
          .examples({"400 Gbit/s"}),
      key("switch", &FabricSpec::network_switch, name())
          .describe("network switch, by its catalogue name; gives the latency")
          .examples({"sn3700"}),
  });
}

}  // namespace vgsim::topology
