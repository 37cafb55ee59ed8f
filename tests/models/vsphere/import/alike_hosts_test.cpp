#include "models/vsphere/import/alike_hosts.hpp"

#include <gtest/gtest.h>

#include "tests/topology/machine/small_hosts.hpp"

namespace vgsim::vsphere::import {
namespace alike_hosts_test {

TEST(AlikeHosts, NamesAndSerialNumbersMakeNoDifference) {
  const Inventory first = topology::inventory::two_socket_host();
  Inventory second = first;
  second.name = {"esx02", "other.json"};
  second.object_id = {"host-9", "other.json"};
  topology::inventory::for_each_device(second, [](Device& device) {
    if (device.gpu) device.gpu->uuid = {"GPU-1", "other.json"};
  });
  Inventory third = first;
  third.cores = {12, "other.json"};
  EXPECT_EQ(alike_hosts({first, third, second, third}), (std::vector<std::size_t>{0, 1, 0, 1}));
}

}  // namespace alike_hosts_test
}  // namespace vgsim::vsphere::import
