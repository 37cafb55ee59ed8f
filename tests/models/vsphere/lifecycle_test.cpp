#include "models/vsphere/lifecycle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scenarios.hpp"

namespace vgsim::vsphere {
namespace lifecycle_test {

constexpr BytesPerSecond kTenGbit{1'250'000'000};

Bytes gigabytes(double value) { return Bytes{static_cast<std::int64_t>(value * 1e9)}; }

Profile profile_of(const std::string& board, double gb) {
  Profile profile;
  profile.name = "grid_" + board;
  profile.board = board;
  profile.framebuffer = gigabytes(gb);
  return profile;
}

VirtualMachine with(const std::vector<const Profile*>& profiles) {
  VirtualMachine vm;
  vm.mode = &gpu_mode("vgpu");
  vm.profiles = profiles;
  for (std::size_t g = 0; g < profiles.size(); ++g) vm.gpus.push_back(g);
  return vm;
}

double stun(const VirtualMachine& vm, const char* version, BytesPerSecond network = kTenGbit) {
  return to_seconds(expected_stun(vm, network, test::library().vsphere->versions, version,
                                  test::library().parameters));
}

double largest(const VirtualMachine& vm, const char* version, BytesPerSecond network = kTenGbit) {
  return to_seconds(largest_stun(vm, network, test::library().vsphere->versions, version,
                                 test::library().parameters));
}

using Table = std::vector<std::pair<double, double>>;  // used GB, seconds over 10 Gbit/s

// VMware vSphere documentation, GUID-8FE6A0DA, of 6.7 and 7.0.
const Table kP40{{1, 9.0}, {2, 16.5}, {4, 31.4}, {8, 61.3}, {10, 76.3}, {12, 91.2}};
const Table kV100In67{{1, 2.17}, {2, 4.03}, {4, 7.02}, {8, 14.48}, {16, 27.79}, {32, 50.81}};
const Table kV100In70{{1, 2}, {2, 4}, {4, 6}, {8, 12}, {16, 22}, {32, 39}};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

struct Errors {
  double model = 0;
  double null_model = 0;  ///< the used framebuffer over the line rate
};

Errors median_errors(const Table& table, const Profile& profile, const char* version) {
  std::vector<double> model;
  std::vector<double> null_model;
  for (const auto& [gb, seconds] : table) {
    VirtualMachine vm = with({&profile});
    vm.settings.framebuffer_used = gigabytes(gb);
    model.push_back(std::abs(stun(vm, version) / seconds - 1));
    null_model.push_back(std::abs(gb * 0.8 / seconds - 1));
  }
  return {median(model), median(null_model)};
}

TEST(Lifecycle, StunsAreThoseOfTheTablesWithinTenPercent) {
  const Profile p40 = profile_of("p40", 24);
  const Profile v100 = profile_of("v100d", 32);
  for (const Errors errors :
       {median_errors(kP40, p40, "6.7U3"), median_errors(kV100In67, v100, "6.7U3"),
        median_errors(kV100In70, v100, "7.0")}) {
    EXPECT_LT(errors.model, 0.10);
    EXPECT_GT(errors.null_model, 0.40);
  }
}

TEST(Lifecycle, WhatIsNotUsedDoesNotMove) {
  const Profile v100 = profile_of("v100d", 32);
  VirtualMachine vm = with({&v100});
  const double whole = stun(vm, "7.0");
  vm.settings.framebuffer_used = gigabytes(8);
  EXPECT_NEAR(stun(vm, "7.0") / whole, 12.0 / 39.0, 0.05);
  vm.settings.framebuffer_used = gigabytes(64);
  EXPECT_DOUBLE_EQ(stun(vm, "7.0"), whole) << "no more than the profile";
}

TEST(Lifecycle, TheLargestStunIsThatOfTheWorstCases) {
  // VMware vSphere 7.0 documentation: seconds by GB of vGPU and of VM memory, over 10 Gbit/s.
  const std::vector<std::pair<double, std::vector<double>>> worst{
      {1, {5, 6, 8, 12}},    {2, {7, 9, 11, 15}},    {4, {13, 14, 16, 21}},
      {8, {24, 25, 28, 32}}, {16, {47, 48, 50, 54}}, {32, {91, 92, 95, 99}}};
  std::vector<double> errors;
  for (const auto& [gb, row] : worst) {
    const Profile v100 = profile_of("v100d", gb);
    VirtualMachine vm = with({&v100});
    for (std::size_t m = 0; m < row.size(); ++m) {
      vm.settings.memory = gigabytes(static_cast<double>(4 << m));
      errors.push_back(std::abs(largest(vm, "7.0") / row[m] - 1));
      EXPECT_LT(stun(vm, "7.0"), largest(vm, "7.0"));
    }
  }
  EXPECT_LT(median(errors), 0.05);
  EXPECT_LT(*std::max_element(errors.begin(), errors.end()), 0.10);
}

TEST(Lifecycle, TheLargestStunIsTheSumOverAllDevicesAndOfWholeProfiles) {
  const Profile a100 = profile_of("a100d", 80);
  VirtualMachine vm = with({&a100, &a100, &a100, &a100});
  const double one = largest(with({&a100}), "8.0U2");
  EXPECT_NEAR(largest(vm, "8.0U2"), 4 * one, 1e-9);
  vm.settings.framebuffer_used = gigabytes(1);
  EXPECT_NEAR(largest(vm, "8.0U2"), 4 * one, 1e-9);
}

TEST(Lifecycle, FasterNetworksHelpUpToEightyGbitFrom8U1On) {
  const Profile a100 = profile_of("a100d", 80);
  const VirtualMachine vm = with({&a100});
  const BytesPerSecond hundred{12'500'000'000};
  const BytesPerSecond eighty{10'000'000'000};
  EXPECT_DOUBLE_EQ(stun(vm, "8.0U1", hundred), stun(vm, "8.0U1", eighty));
  EXPECT_LT(stun(vm, "8.0U1", eighty), stun(vm, "8.0U1") / 6);
}

TEST(Lifecycle, StaticMemoryIsCopiedBeforeFrom9On) {
  // Denneman 2025-06-24: of a served model of 70 B parameters the weights move beforehand.
  const Profile h100 = profile_of("h100xm", 80);
  VirtualMachine vm = with({&h100, &h100});
  vm.settings.framebuffer_static = gigabytes(70);
  VirtualMachine rest = with({&h100, &h100});
  rest.settings.framebuffer_used = gigabytes(10);
  EXPECT_DOUBLE_EQ(stun(vm, "9.0"), stun(rest, "9.0"));
  EXPECT_DOUBLE_EQ(stun(vm, "8.0U3"), stun(with({&h100, &h100}), "8.0U3"));
}

/// HA with a NIC in DirectPath I/O, which is named in that way.
bool has_ha(DirectPath named, const char* nic, const char* version) {
  const Profile a100 = profile_of("a100d", 80);
  VirtualMachine vm = with({&a100});
  vm.nics.push_back({0, &nic_mode(nic), {}});
  vm.settings.direct_path = named;
  return !lacks(vm, Operation::kHa, test::library().vsphere->versions, version);
}

TEST(Lifecycle, HaNeedsDynamicDirectPathForNicsToo) {
  // VMware 8.0, DirectPath I/O: no HA. Denneman 2023-06-06: dynamic DirectPath I/O has it.
  for (const std::string& version : Versions::words()) {
    const char* v = version.c_str();
    EXPECT_FALSE(has_ha(DirectPath::kStatic, "passthrough", v)) << version;
    EXPECT_FALSE(has_ha(DirectPath::kDynamic, "sriov", v)) << version;
    EXPECT_TRUE(has_ha(DirectPath::kStatic, "vmxnet3", v)) << version;
    EXPECT_TRUE(has_ha(DirectPath::kStatic, "pvrdma", v)) << version;
    EXPECT_EQ(has_ha(DirectPath::kUnspecified, "passthrough", v), !is_older(version, "7.0"))
        << version;
  }
}

TEST(Lifecycle, DirectPathHasNeitherVmotionNorDrsOfLoad) {
  for (const std::string nic : {"passthrough", "sriov"}) {
    const Profile a100 = profile_of("a100d", 80);
    VirtualMachine vm = with({&a100});
    vm.nics.push_back({0, &nic_mode(nic), {}});
    vm.settings.direct_path = DirectPath::kDynamic;
    for (const Operation operation :
         {Operation::kVmotion, Operation::kDrs, Operation::kSuspend, Operation::kSnapshot}) {
      EXPECT_TRUE(lacks(vm, operation, test::library().vsphere->versions, "9.0"));
    }
    EXPECT_EQ(is_placed_by_drs(vm, test::library().vsphere->versions, "9.0"), nic == "passthrough");
  }
}

/// Whether 6.7 Update 1 warns of a P40 with so much in use, over 10 Gbit/s.
bool may_time_out(double used_gb) {
  const Profile p40 = profile_of("p40", 24);
  VirtualMachine vm = with({&p40});
  vm.settings.framebuffer_used = gigabytes(used_gb);
  return stun(vm, "6.7U1") > to_seconds(test::library().parameters.time("vmotion_time_out_6_7"));
}

TEST(Lifecycle, AP40With16GbInUsePasses100SecondsAndWith12DoesNot) {
  EXPECT_FALSE(may_time_out(12));
  EXPECT_TRUE(may_time_out(16));
  EXPECT_TRUE(may_time_out(24));
}

}  // namespace lifecycle_test
}  // namespace vgsim::vsphere
