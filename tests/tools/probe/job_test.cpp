// Processes of a job, as threads that talk over loopback.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "tests/tools/probe/fake_devices.hpp"
#include "tools/probe/probe.hpp"
#include "tools/probe/processes/job_devices.hpp"
#include "tools/probe/processes/job_messages.hpp"
#include "tools/probe/processes/job_place.hpp"

namespace vgsim::probe {
namespace job_test {

using calibration::CollectiveCall;

std::optional<JobPlace> place_in(const std::map<std::string, std::string>& variables) {
  return job_place([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(JobPlace, IsReadFromWhatLaunchersSet) {
  const auto torch = place_in({{"RANK", "9"},
                               {"WORLD_SIZE", "16"},
                               {"LOCAL_RANK", "1"},
                               {"MASTER_ADDR", "node0"},
                               {"MASTER_PORT", "1234"}});
  ASSERT_TRUE(torch);
  EXPECT_EQ(torch->rank, 9u);
  EXPECT_EQ(torch->ranks, 16u);
  EXPECT_EQ(torch->local_rank, 1u);
  EXPECT_EQ(torch->leader_address, "node0");
  EXPECT_EQ(torch->leader_port, 1234);
  const auto open_mpi = place_in({{"OMPI_COMM_WORLD_RANK", "3"},
                                  {"OMPI_COMM_WORLD_SIZE", "4"},
                                  {"OMPI_COMM_WORLD_LOCAL_RANK", "3"}});
  ASSERT_TRUE(open_mpi);
  EXPECT_EQ(open_mpi->rank, 3u);
  EXPECT_EQ(open_mpi->leader_address, "127.0.0.1");
  EXPECT_TRUE(place_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}, {"SLURM_LOCALID", "0"}}));
}

TEST(JobPlace, AProcessAloneIsNoJob) {
  EXPECT_FALSE(place_in({}));
  EXPECT_FALSE(place_in({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
}

TEST(JobPlace, RefusesWhatMakesNoSense) {
  EXPECT_THROW(place_in({{"RANK", "4"}, {"WORLD_SIZE", "4"}}), std::invalid_argument);
  EXPECT_THROW(place_in({{"RANK", "one"}, {"WORLD_SIZE", "4"}}), std::invalid_argument);
  EXPECT_THROW(place_in({{"RANK", "1"}, {"WORLD_SIZE", "4"}, {"MASTER_PORT", "70000"}}),
               std::invalid_argument);
}

TEST(JobMessages, CommandsArriveAsTheyWereSent) {
  PrepareCall sent;
  sent.id = std::string("\0\x7f\xff", 3);
  sent.call = {"all_reduce", {0, 1, 2}, Bytes{1 << 20}, "Ring", {}, 3};
  const auto got = std::get<PrepareCall>(command_of(message_of(sent)));
  EXPECT_EQ(got.id, sent.id);
  EXPECT_EQ(describe(got.call), describe(sent.call));
  EXPECT_FALSE(got.call.protocol);
  EXPECT_EQ(std::get<RunCall>(command_of(message_of(RunCall{7}))).repeats, 7u);
  EXPECT_THROW(static_cast<void>(command_of("{")), DeviceError);
  EXPECT_THROW(static_cast<void>(command_of(R"({"do": "dance"})")), DeviceError);
}

/// Rank 0 of a job of three, and what the two others did.
class Job : public ::testing::Test {
 protected:
  static constexpr std::size_t kRanks = 3;

  /// What became of the call on rank 0.
  std::string run(const std::function<double(DeviceLayer&)>& work) {
    Listener listener(0);
    const std::uint16_t port = listener.port();
    std::vector<std::thread> others;
    for (std::size_t rank = 1; rank < kRanks; ++rank) {
      others.emplace_back([this, rank, port] {
        follow(followers_[rank], {rank, kRanks, 0, "127.0.0.1", port});
      });
    }
    std::string failure;
    {
      JobDevices job(std::make_unique<FakeDevices>(2), {0, kRanks, 0, "127.0.0.1", port}, listener);
      EXPECT_EQ(job.job().ranks, kRanks);
      EXPECT_EQ(job.job().machines, 1u);
      try {
        seconds_ = work(job);
      } catch (const DeviceError& error) {
        failure = error.what();
      }
    }
    for (std::thread& other : others) other.join();
    return failure;
  }

  static double time(DeviceLayer& devices, const CollectiveCall& call) {
    return devices.prepare(call)->seconds(1000) / 1000;
  }

  CollectiveCall call_{"all_reduce", {0, 1, 2}, Bytes{1 << 20}, {}, {}, 2};
  FakeDevices followers_[kRanks];
  double seconds_ = 0;
};

TEST_F(Job, AllRanksTakePartInACallOverMachines) {
  EXPECT_EQ(run([&](DeviceLayer& devices) { return time(devices, call_); }), "");
  const Truth truth;
  const double alone =
      truth.collective_latency_s + static_cast<double>(1 << 20) / truth.collective_rate;
  EXPECT_NEAR(seconds_ / (2 * alone), 1.0, 0.2);  // the fake takes twice as long over machines
  EXPECT_EQ(followers_[1].ranks_prepared(), 1u);
  EXPECT_EQ(followers_[2].ranks_prepared(), 1u);
}

TEST_F(Job, SizesOfASweepShareWhatJoinsTheRanksUntilOneFails) {
  EXPECT_EQ(run([&](DeviceLayer& devices) {
              CollectiveCall larger = call_;
              larger.size = Bytes{1 << 24};
              static_cast<void>(time(devices, call_));
              static_cast<void>(time(devices, larger));
              return 0.0;
            }),
            "");
  EXPECT_EQ(followers_[1].ids_seen().size(), 1u);
  followers_[2].refuse("all_gather");
  EXPECT_EQ(run([&](DeviceLayer& devices) {
              CollectiveCall refused = call_;
              refused.collective = "all_gather";
              static_cast<void>(time(devices, call_));
              EXPECT_THROW(static_cast<void>(devices.prepare(refused)), DeviceError);
              static_cast<void>(time(devices, call_));
              return 0.0;
            }),
            "");
  EXPECT_EQ(followers_[1].ids_seen().size(), 2u);
}

TEST_F(Job, WorkOnOneMachineIsThatOfRankZeroAlone) {
  CollectiveCall local = call_;
  local.machines = 1;
  EXPECT_EQ(run([&](DeviceLayer& devices) { return time(devices, local); }), "");
  EXPECT_EQ(followers_[1].ranks_prepared(), 0u);
}

TEST_F(Job, TheErrorOfARankIsReportedAndTheNextCallRuns) {
  followers_[2].refuse("all_gather");
  const std::string failure = run([&](DeviceLayer& devices) {
    CollectiveCall refused = call_;
    refused.collective = "all_gather";
    EXPECT_THROW(static_cast<void>(devices.prepare(refused)), DeviceError);
    return time(devices, call_);
  });
  EXPECT_EQ(failure, "");
  EXPECT_EQ(followers_[2].ranks_prepared(), 1u);
}

TEST(JobPlan, HasCallsOfAllRanksOnSeveralMachinesAlone) {
  FakeDevices devices(2);
  const auto machine = devices.machine();
  const auto across = [&](const ProbeJob& job) {
    std::size_t calls = 0;
    for (const auto& work : plan(machine, job, false)) {
      const auto* call = std::get_if<CollectiveCall>(&work);
      if (call != nullptr && call->machines > 1) {
        ++calls;
        EXPECT_EQ(call->gpus.size(), job.ranks);
      }
    }
    return calls;
  };
  EXPECT_EQ(across({}), 0u);
  EXPECT_EQ(across({8, 1}), 0u);
  EXPECT_GT(across({16, 2}), 50u);
}

}  // namespace job_test
}  // namespace vgsim::probe
