// The input pipeline: decoding cores, storage, memory of other NUMA nodes, and contention. Closed
// forms from core time, rates and batch.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace input_pipeline_test {

using scenario::LayoutResult;

/// ResNet-50 with a batch of 64 on each GPU of one R750xa VM.
struct Pipeline {
  std::string vm = R"("vcpus": 64)";
  std::string host = R"("storage": {"read": "100 GB/s"}, "numa_node": {"cores": 32})";
  std::string input = R"({"core_time": "5 ms"})";
  std::string more;
  std::string gpus = "4 x a100-pcie-80gb";

  [[nodiscard]] LayoutResult run() const {
    return test::run_one(
        R"({"name": "input", "hosts": {"h": {"server": "dell-r750xa", "gpus": ")" + gpus + "\", " +
        host + R"(}}, "vms": {"vm": {"host": "h", "guest_topology": "topo_file",
            "gpus": {"mode": "passthrough"}, )" +
        vm + R"(}}, "job": {"network": "resnet-50", "batch_per_gpu": 64, "input": )" + input + "}" +
        more + "}");
  }
};

TEST(InputPipeline, CoresThatDecodeSetThePaceWhereTheyAreFew) {
  // 8 vCPUs, one busy for each of 4 GPUs: 4 cores x 200 images/s.
  Pipeline few;
  few.vm = R"("vcpus": 8)";
  const LayoutResult result = few.run();
  EXPECT_NEAR(result.training->samples_per_s, 800.0, 0.1);
  ASSERT_TRUE(result.bottleneck);
  EXPECT_EQ(result.bottleneck->resource, "vm/vCPUs");
  EXPECT_NEAR(result.training->cores_busy, 4.0, 1e-3);
}

TEST(InputPipeline, TheHostsCoresCountAsWell) {
  Pipeline many;
  many.vm = R"("vcpus": 16)";
  many.host = R"("storage": {"read": "100 GB/s"}, "numa_node": {"cores": 4})";
  // The second thread of a core adds a quarter of one (second_thread_share).
  EXPECT_NEAR(many.run().training->samples_per_s, (8 + 8 * 0.25 - 4) * 200, 0.1)
      << "16 vCPUs on 2 nodes of 4 cores, 4 busy";
}

TEST(InputPipeline, VmsOfOneNodeShareItsCores) {
  // Two jobs in VMs of 8 vCPUs, on nodes of 8 cores: on one node each, and both on node 0, where 16
  // threads share 8 cores.
  const auto samples_per_s = [](const std::string& node_of_other) {
    const std::string job = R"({"network": "resnet-50", "batch_per_gpu": 64,
        "input": {"decode": "cpu", "core_time": "20 ms"}, "vms": ")";
    const auto layout = test::run_one(R"({"name": "node", "hosts": {"h": {"server": "dell-r750xa",
        "gpus": "2 x a100-pcie-80gb", "numa_node": {"cores": 8}, "storage": {"read": "1 TB/s"}}},
        "vms": {"a": {"host": "h", "vcpus": 8, "advanced": {"numa.nodeAffinity": "0"},
                      "gpus": {"mode": "passthrough", "devices": ["gpu0"]}},
                "b": {"host": "h", "vcpus": 8, "advanced": {"numa.nodeAffinity": ")" +
                                      node_of_other +
                                      R"("}, "gpus": {"mode": "passthrough", "devices": ["gpu1"]}}},
        "jobs": {"a": )" + job + R"(a"}, "b": )" +
                                      job + R"(b"}}})");
    double all = 0;
    for (const auto& each : layout.jobs) all += each.samples_per_s;
    return all;
  };
  EXPECT_NEAR(samples_per_s("1"), 2 * (8 - 1) * 50, 2);
  EXPECT_NEAR(samples_per_s("0"), (8 + 8 * 0.25 - 2) * 50, 2);
}

// A dataset over the network takes the cores of TCP in the guest, of the virtual switch as well for
// vmxnet3, unless a DPU runs it, and those of ESXi for a datastore.
TEST(InputPipeline, ADatasetOverANicTakesCores) {
  const auto result = [](const std::string& nics, const std::string& host = "") {
    return test::run_one(R"({"name": "nfs", "hosts": {"h": {"server": "dell-r750xa",
        "gpus": "2 x a100-pcie-80gb", "numa_node": {"cores": 16},
        "nics": {"n": {"nic": "bluefield-2-100g", "near": "gpu0"}, "m": {"nic": "connectx-6-dx-100g"}},
        "storage": {"read": "6 GB/s", "over": "n"})" +
                         host + R"(}},
        "vms": {"vm": {"host": "h", "vcpus": 16, "gpus": {"mode": "passthrough"}, "nics": {)" +
                         nics +
                         R"(}}},
        "job": {"network": "resnet-50", "batch_per_gpu": 128, "input": {"decode": "none"}}})");
  };
  const auto cores = [](const LayoutResult& layout) {
    const auto found = layout.training->cores_by_cause.find("storage over the network");
    return found == layout.training->cores_by_cause.end() ? 0.0 : found->second;
  };
  const auto& parameters = test::library().parameters;
  const double tcp = parameters.number("tcp_cores_per_gbit");
  const double of_switch = parameters.number("virtual_switch_cores_per_gbit");
  const double datastore = parameters.number("datastore_cores_per_gbit");
  const double sriov = cores(result(R"("n": "sriov")"));
  ASSERT_GT(sriov, 0.0);
  const double per_core = sriov / tcp;  // Gbit/s
  EXPECT_NEAR(cores(result(R"("n": "vmxnet3")")), per_core * (tcp + of_switch), 0.01 * sriov);
  EXPECT_NEAR(cores(result(R"("n": "vmxnet3")", R"(, "dpu_offload": true)")), per_core * tcp,
              0.01 * sriov);
  EXPECT_NEAR(cores(result(R"("m": "sriov")")), per_core * datastore, 0.01 * sriov);
}

TEST(InputPipeline, WorkersBoundWhatOneGpuGets) {
  Pipeline workers;
  workers.input = R"({"core_time": "5 ms", "workers": 2})";
  EXPECT_NEAR(workers.run().training->samples_per_s, 4 * 2 * 200.0, 0.1);
}

/// 3D U-Net, 146.6 MB a scan, from the given storage, on one host with a NIC of 25 Gbit/s.
LayoutResult scans(const std::string& storage, const std::string& hosts = "h") {
  return test::run_one(R"({"name": "scans", "hosts": {")" + hosts +
                       R"(": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
      "nics": {"vmnic4": {"nic": "connectx-6-lx-25g"}}, "storage": )" +
                       storage + R"(}}, "job": {"network": "unet-3d", "batch_per_gpu": 2,
      "input": {"decode": "none"}}})");
}

TEST(InputPipeline, StorageOverANicReadsAtItsRate) {
  const auto& nic = test::library().catalog->nics.at("connectx-6-lx-25g");
  const double rate = static_cast<double>(nic.port_rate.value.count()) * nic.payload_share.value;
  const double size = static_cast<double>(
      test::library().catalog->datasets.at("kits19").stored_bytes->value.count());
  const LayoutResult result = scans(R"({"read": "100 GB/s", "over": "vmnic4"})");
  EXPECT_NEAR(result.training->samples_per_s, rate / size, rate / size * 0.001);
  ASSERT_TRUE(result.bottleneck);
  EXPECT_NE(result.bottleneck->resource.find("vmnic4"), std::string::npos)
      << result.bottleneck->resource;
  // A slow array limits before the NIC does.
  EXPECT_NEAR(scans(R"({"read": "1 GB/s", "over": "vmnic4"})").training->samples_per_s, 1e9 / size,
              0.01);
}

TEST(InputPipeline, DataOverTheNicMeetsGradients) {
  const auto& nic = test::library().catalog->nics.at("connectx-6-lx-25g");
  const double rate = static_cast<double>(nic.port_rate.value.count()) * nic.payload_share.value;
  const auto iteration = [](const std::string& storage) {
    return scans(storage, "h[1-2]").training->iteration;
  };
  const std::string drive = std::to_string(static_cast<std::int64_t>(rate)) + " B/s";
  EXPECT_GT(iteration(R"({"read": "100 GB/s", "over": "vmnic4"})"),
            iteration("{\"read\": \"" + drive + "\"}"));
}

TEST(InputPipeline, MoreCoresNeverSlowAStep) {
  SimTime before{std::int64_t{1} << 62};
  for (const int vcpus : {5, 8, 12, 16, 24, 32, 48, 64}) {
    Pipeline pipeline;
    pipeline.vm = R"("vcpus": )" + std::to_string(vcpus);
    const SimTime now = pipeline.run().training->iteration;
    EXPECT_LE(now, before) << vcpus;
    before = now;
  }
}

TEST(InputPipeline, GpusThatDecodeNeedATenthOfTheCoresAndSomeTimeOfTheirOwn) {
  Pipeline cpu;
  Pipeline gpu;
  gpu.input = R"({"core_time": "5 ms", "decode": "gpu"})";
  for (Pipeline* pipeline : {&cpu, &gpu}) {
    pipeline->more = R"(, "idealise": {"computing": "ideal"})";
  }
  const auto by_cpu = cpu.run();
  const auto by_gpu = gpu.run();
  const auto per_sample = [](const LayoutResult& r) {
    return r.training->cores_busy / r.training->samples_per_s;
  };
  EXPECT_NEAR(per_sample(by_cpu), 5e-3, 1e-6);
  EXPECT_NEAR(per_sample(by_gpu), 5e-4, 1e-7);
  EXPECT_NEAR(to_seconds(by_gpu.training->compute - by_cpu.training->compute), 64 * 128e-6 / 0.98,
              1e-6)
      << "nvJPEG, and the GPU is in passthrough";
}

TEST(InputPipeline, WithoutDecodingNoCoreIsBusy) {
  Pipeline none;
  none.input = R"({"decode": "none"})";
  EXPECT_EQ(none.run().training->cores_busy, 0.0);
}

TEST(InputPipeline, DirectStorageKeepsInputOutOfHostMemory) {
  Pipeline pipeline;
  const auto memory_bytes = [](const LayoutResult& result) {
    double bytes = 0;
    for (const auto& link : result.links) {
      if (link.kind == "memory") bytes += link.bytes * static_cast<double>(link.links);
    }
    return bytes;
  };
  // One GPU, so that no gradients move: 64 stored samples are written into host memory, and 64
  // decoded ones read out of it.
  pipeline.gpus = "1 x a100-pcie-80gb";
  pipeline.input = R"({"decode": "gpu"})";
  EXPECT_NEAR(memory_bytes(pipeline.run()), 2 * 64 * 115207.0, 1.0);
  pipeline.vm += R"(, "other_devices": {"nvme": 1})";
  pipeline.input = R"({"decode": "gpu", "path": "gpudirect_storage"})";
  EXPECT_EQ(memory_bytes(pipeline.run()), 0.0);
  pipeline.input = R"({"path": "gpudirect_storage"})";
  EXPECT_THROW(static_cast<void>(pipeline.run()), std::runtime_error) << "the CPU decodes";
}

TEST(InputPipeline, CachedDataIsNotRead) {
  Pipeline slow;
  slow.host = R"("storage": {"read": "50 MB/s"})";
  EXPECT_NEAR(slow.run().training->samples_per_s, 50e6 / 115207, 0.1);
  slow.input = R"({"core_time": "5 ms", "cached": true})";
  EXPECT_GT(slow.run().training->samples_per_s, 4000.0);
}

TEST(InputPipeline, AVmThatSpansNumaNodesReadsHalfOfItsInputOverTheSocketLink) {
  Pipeline pipeline;
  pipeline.gpus = "1 x a100-pcie-80gb";
  const auto over_sockets = [](const LayoutResult& result) {
    double bytes = 0;
    for (const auto& link : result.links) {
      if (link.kind == "socket-link") bytes += link.bytes * static_cast<double>(link.links);
    }
    return bytes;
  };
  EXPECT_EQ(over_sockets(pipeline.run()), 0.0) << "the guest sees the nodes";
  const auto flat = test::run_one(
      R"({"name": "wide", "hosts": {"h": {"server": "dell-r750xa", "gpus": "1 x a100-pcie-80gb",
          "numa_node": {"cores": 32}}}, "vms": {"vm": {"host": "h", "vcpus": 64,
          "gpus": {"mode": "passthrough"}}}, "job": {"network": "resnet-50", "batch_per_gpu": 64}})");
  const double copied = 64 * 150528.0 / 2;
  const double read = 64 * 115207.0 / 2;
  EXPECT_NEAR(over_sockets(flat), copied + read, 1.0);
}

TEST(InputPipeline, CopiesOfVmsPassTheIommuUnlessDevicesCacheItsTranslations) {
  // So little to compute that copies are the limit: 64 x 150,528 bytes over PCIe 4.0 x16.
  const auto iteration = [](const std::string& bios, const std::string& vms) {
    return to_seconds(test::run_one(R"({"name": "ats", "hosts": {"h": {"server": "generic-1gpu",
        "gpus": "1 x a100-pcie-80gb", "storage": {"read": "1 TB/s"}, "bios": {"ats": )" +
                                    bios + "}}}" + vms +
                                    R"(, "job": {"network": "resnet-50", "batch_per_gpu": 64,
        "achieved_share": 1.0, "input": {"decode": "none", "cached": true},
        "optimizer": "none", "prefetched_batches": 0}})")
                          .training->data_wait);
  };
  const std::string vm = R"(, "vms": {"vm": {"host": "h", "gpus": {"mode": "passthrough"}}})";
  const double bare = iteration("false", "");
  EXPECT_NEAR(iteration("true", vm), bare, 1e-12);
  EXPECT_NEAR(iteration("false", vm), bare / 0.98, bare * 0.005);
}

TEST(Neighbours, TakeWhatTheyAskForUpToHalfOfALink) {
  // 500 MB/s of storage: alone 500, beside 200 MB/s of others 300, beside 400 MB/s of others 250.
  const auto images = [](const std::string& rate) {
    Pipeline pipeline;
    pipeline.host = R"("storage": {"read": "500 MB/s"})";
    if (!rate.empty()) {
      pipeline.more =
          R"(, "neighbours": [{"host": "h*", "path": ["storage", "memory0"], "rate": ")" + rate +
          "\"}]";
    }
    return pipeline.run().training->samples_per_s;
  };
  EXPECT_NEAR(images(""), 500e6 / 115207, 0.1);
  EXPECT_NEAR(images("200 MB/s"), 300e6 / 115207, 0.1);
  EXPECT_NEAR(images("400 MB/s"), 250e6 / 115207, 0.1);
}

TEST(Neighbours, CostNothingOnLinksThatTheJobDoesNotUse) {
  Pipeline pipeline;
  pipeline.gpus = "2 x a100-pcie-80gb";
  pipeline.host += R"(, "nics": {"vmnic0": {"nic": "connectx-6-dx-100g"}})";
  const SimTime alone = pipeline.run().training->iteration;
  pipeline.more =
      R"(, "neighbours": [{"host": "h", "path": ["vmnic0", "network"], "rate": "100 Gbit/s"}])";
  EXPECT_EQ(pipeline.run().training->iteration, alone);
}

TEST(Neighbours, KeepCoresBusy) {
  Pipeline pipeline;
  pipeline.vm = R"("vcpus": 40)";
  pipeline.host = R"("storage": {"read": "100 GB/s"}, "numa_node": {"cores": 10})";
  pipeline.more = R"(, "neighbours": [{"host": "h", "cores": 6}])";
  // 46 threads keep both threads of all 20 cores busy.
  EXPECT_NEAR(pipeline.run().training->samples_per_s, (20 * 1.25 - 4 - 6) * 200.0, 0.1);
}

TEST(Neighbours, KeepCoresBusyWithTraffic) {
  // 50 Gbit/s take TCP and the virtual switch 0.026 and 0.043 cores each; a DPU runs the switch.
  Pipeline pipeline;
  pipeline.gpus = "2 x a100-pcie-80gb";
  pipeline.vm = R"("vcpus": 16)";
  const std::string host = R"("storage": {"read": "100 GB/s"}, "numa_node": {"cores": 8},
      "nics": {"n": {"nic": "bluefield-2-100g"}})";
  pipeline.host = host;
  pipeline.input = R"({"core_time": "20 ms"})";
  pipeline.more =
      R"(, "neighbours": [{"host": "h", "path": ["memory0", "n", "network"], "rate": "50 Gbit/s"}])";
  // Threads beyond the 16 cores add a quarter each.
  const auto expected = [](double others) { return (16 + others * 0.25 - 2 - others) * 50; };
  EXPECT_NEAR(pipeline.run().training->samples_per_s, expected(50 * 0.069), 0.1);
  pipeline.host = host + R"(, "dpu_offload": true)";
  EXPECT_NEAR(pipeline.run().training->samples_per_s, expected(50 * 0.026), 0.1);
}

TEST(RemoteGpus, InputAndCallsCrossTheNetwork) {
  const auto run = [](const std::string& client) {
    return test::run_one(R"({"name": "remote", "hosts": {"gpu": {"server": "dell-r750xa",
        "gpus": "2 x a100-pcie-80gb", "nics": {"n": {"nic": "xxv710-25g"}}},
        "cpu": {"server": "dell-r740", "gpus": "1 x v100-pcie-32gb",
                "nics": {"n": {"nic": "xxv710-25g"}}}},
        "vms": {"vm": {"host": "gpu", "gpus": {"mode": "passthrough"})" +
                         client + R"(}}, "job": {"network": "resnet-50", "batch_per_gpu": 64,
        "vms": "vm", "input": {"cached": true}}, "idealise": {"computing": "ideal"}})");
  };
  const LayoutResult local = run("");
  const LayoutResult remote = run(R"(, "remote_client": {"host": "cpu", "nic": "n"})");
  const double calls = 100 * 50e-6;
  EXPECT_NEAR(to_seconds(remote.training->compute - local.training->compute), calls, 1e-9);
  double sent = 0;
  for (const auto& link : remote.links) {
    if (link.resource == "cpu/n -> leaf1") sent = link.bytes;
  }
  EXPECT_NEAR(sent, 2 * 64 * 150528.0, 1.0);
  EXPECT_THROW(static_cast<void>(run(R"(, "remote_client": {"host": "cpus"})")),
               std::runtime_error);
  // Two other clients compute on the same GPUs, which serve all three in turn.
  const LayoutResult turns =
      run(R"(, "remote_client": {"host": "cpu", "nic": "n", "busy_clients": 2})");
  EXPECT_NEAR(to_seconds(turns.training->compute), 3 * to_seconds(local.training->compute) + calls,
              1e-6);
  // ResNet-50 with 64 images needs some GB, and a client with a fortieth of a GPU has 2.
  const LayoutResult part =
      run(R"(, "remote_client": {"host": "cpu", "nic": "n", "gpu_memory": 0.025})");
  ASSERT_TRUE(part.refused);
  EXPECT_TRUE(std::ranges::any_of(
      part.warnings, [](const auto& warning) { return warning.rule == "job-does-not-fit"; }));
}

}  // namespace input_pipeline_test
}  // namespace vgsim
