#include "tools/cli/new/questions.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "tests/support/scenarios.hpp"
#include "tools/cli/new/plan.hpp"

namespace vgsim::cli {
namespace questions_test {

using testing::HasSubstr;
using testing::Not;

struct Asked {
  ScenarioRequest request;
  std::string questions;
};

Asked ask(const std::string& answers, ScenarioRequest request = {}) {
  std::istringstream in(answers);
  std::ostringstream out;
  ask_for_missing(in, out, test::library(), request);
  return {request, out.str()};
}

TEST(Questions, TakeTheUsualForAnEmptyAnswer) {
  const Asked asked = ask("\n\n\n\n\n\n\n");
  const auto plan = plan_of(asked.request, test::library());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->hosts, 1U);
  for (const char* question :
       {"Server", "Hosts", "GPUs", "Network", "Split", "Samples", "Layouts"}) {
    EXPECT_THAT(asked.questions, HasSubstr(question));
  }
}

TEST(Questions, EndWithTheAnswers) {
  EXPECT_TRUE(plan_of(ask("").request, test::library()));
  EXPECT_EQ(ask("dgx-h100\n2").request.hosts, "2");
}

TEST(Questions, TakeAnswersInTheWordsOfPeople) {
  const Asked asked = ask("R750xa\n4\n4x A100\nLlama 3 8B\nfsdp\n2\npassthrough\n");
  const auto plan = plan_of(asked.request, test::library());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->server->id, "dell-r750xa");
  EXPECT_EQ(plan->hosts, 4U);
  EXPECT_EQ(plan->gpu->id, "a100-pcie-80gb");
  EXPECT_EQ(plan->network, "llama-3-8b");
  EXPECT_EQ(plan->parallel.sharding, "zero3");
  EXPECT_EQ(plan->batch, 2);
  ASSERT_EQ(plan->layouts.size(), 1U);
}

TEST(Questions, AreAskedAgainAfterAWrongAnswer) {
  const Asked asked = ask("dell-xe968\ndell-xe9680\nmany\n3\n");
  EXPECT_THAT(asked.questions, HasSubstr("did you mean \"dell-xe9680\""));
  EXPECT_THAT(asked.questions, HasSubstr("a whole number from 1"));
  EXPECT_EQ(asked.request.server, "dell-xe9680");
  EXPECT_EQ(asked.request.hosts, "3");
}

TEST(Questions, AreNotAskedOfWhatIsSaid) {
  ScenarioRequest request;
  request.server = "dgx-h100";
  request.layouts = {"vgpu"};
  const Asked asked = ask("\n\n\n\n\n\n", request);
  EXPECT_THAT(asked.questions, Not(HasSubstr("Server")));
  EXPECT_THAT(asked.questions, Not(HasSubstr("Layouts")));
  EXPECT_THAT(asked.questions, HasSubstr("8 x h100-sxm5-80gb")) << "the usual of that server";
}

}  // namespace questions_test
}  // namespace vgsim::cli
