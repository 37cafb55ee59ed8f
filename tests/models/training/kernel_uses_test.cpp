#include "models/training/kernel_uses.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/scenarios.hpp"

namespace vgsim::training {
namespace kernel_uses_test {

TrainingJob job_of(const char* network) {
  TrainingJob job;
  job.network = std::make_shared<NetworkModel>(test::library().networks->at(network));
  job.tokens = 4096;
  job.precision = "fp16";
  job.parallelism.micro_batch = 4;
  job.parallelism.micro_batches = 2;
  return job;
}

std::vector<KernelUse> uses_of(const TrainingJob& job) {
  const auto& library = test::library();
  return kernel_uses(job, library.catalog->gpus.at("h100-sxm5-80gb"), library.parameters);
}

/// Operations of the products alone, if operations limit all of them.
double operations_of(const std::vector<KernelUse>& uses) {
  double seconds = 0;
  for (const KernelUse& use : uses) {
    if (use.what != "attention") seconds += use.roof_seconds;
  }
  return seconds * 989.4e12;
}

double seconds_of(const std::vector<KernelUse>& uses) {
  double seconds = 0;
  for (const KernelUse& use : uses) seconds += use.seconds;
  return seconds;
}

TEST(KernelUses, AreTheOperationsOfTheNetwork) {
  const TrainingJob job = job_of("llama-2-13b");
  double forward = 0;
  for (const LayerGroup& layer : job.network->layers) {
    const Flops scores = layer.flops_per_token_pair * (job.tokens * job.tokens);
    forward += static_cast<double>((layer.forward(job.tokens) - scores).count());
  }
  // Each forward product is followed by two backward products, for eight samples.
  EXPECT_NEAR(operations_of(uses_of(job)) / (3 * 8 * forward), 1.0, 1e-6);
}

TEST(KernelUses, OfBlocksThatAreComputedAgainAreAThirdMore) {
  TrainingJob job = job_of("llama-2-13b");
  const auto once = uses_of(job);
  job.parallelism.recompute = Recompute::kFull;
  const auto again = uses_of(job);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    if (once[i].what == "attention" || once[i].what == "output") continue;
    EXPECT_NEAR(again[i].roof_seconds / once[i].roof_seconds, 4.0 / 3, 1e-9) << once[i].what;
    EXPECT_NEAR(again[i].kernels / once[i].kernels, 4.0 / 3, 1e-9) << once[i].what;
  }
}

TEST(KernelUses, OfARankAreFewerOperationsButNotFasterOnes) {
  TrainingJob job = job_of("llama-2-13b");
  const auto whole = uses_of(job);
  job.parallelism.tensor = 8;
  const auto part = uses_of(job);
  EXPECT_NEAR(operations_of(whole) / operations_of(part), 8.0, 1e-6);
  EXPECT_GT(seconds_of(part), seconds_of(whole) / 8);
}

TEST(KernelUses, OfExpertsAreThoseThatTokensSee) {
  TrainingJob job = job_of("mixtral-8x7b");
  const auto all = uses_of(job);
  job.parallelism.expert = 8;
  job.parallelism.data = 8;
  // One expert for the tokens of eight ranks instead of eight experts for those of one.
  EXPECT_NEAR(operations_of(uses_of(job)) / operations_of(all), 1.0, 1e-6);
  EXPECT_LT(seconds_of(uses_of(job)), seconds_of(all));
}

TEST(KernelUses, AreNotToldOfOtherNetworks) {
  EXPECT_TRUE(uses_of(job_of("resnet-50")).empty());
  TrainingJob job = job_of("llama-2-13b");
  job.precision = "tf32";
  EXPECT_TRUE(uses_of(job).empty());
}

}  // namespace kernel_uses_test
}  // namespace vgsim::training
