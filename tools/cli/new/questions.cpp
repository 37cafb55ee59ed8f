#include "tools/cli/new/questions.hpp"

#include <fmt/format.h>

#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "tools/cli/new/plan.hpp"

namespace vgsim::cli {
namespace {

struct NewQuestion {
  const char* text;
  std::optional<std::string> ScenarioRequest::*value;
  std::string (*usual)(const NewPlan&);
};

constexpr NewQuestion kNewQuestions[] = {
    {"Server (vgsim catalog servers)", &ScenarioRequest::server,
     [](const NewPlan& plan) { return plan.server->id; }},
    {"Hosts", &ScenarioRequest::hosts,
     [](const NewPlan& plan) { return fmt::format("{}", plan.hosts); }},
    {"GPUs of each", &ScenarioRequest::gpus,
     [](const NewPlan& plan) { return fmt::format("{} x {}", plan.gpus, plan.gpu->id); }},
    {"Network to train (vgsim catalog networks)", &ScenarioRequest::network,
     [](const NewPlan& plan) { return plan.network; }},
    {"Split by (fsdp, ddp, tensor=4,pipeline=2 ...)", &ScenarioRequest::parallel,
     [](const NewPlan&) { return std::string("what fits"); }},
    {"Samples of a GPU in an iteration", &ScenarioRequest::batch,
     [](const NewPlan&) { return std::string("what fits"); }}};

/// Errors of the request so far, one per line; empty if there are none.
std::string complaint(const ScenarioRequest& request, const scenario::Library& library) {
  const auto plan = plan_of(request, library);
  return plan ? std::string() : input::render(plan.error());
}

bool next_answer(std::istream& answers, std::string& answer) {
  if (!std::getline(answers, answer)) return false;
  const std::size_t first = answer.find_first_not_of(" \t\r");
  const std::size_t last = answer.find_last_not_of(" \t\r");
  answer = first == std::string::npos ? "" : answer.substr(first, last - first + 1);
  return true;
}

/// Repeats until `take` accepts an answer.
template <class Take>
void ask(std::istream& answers, std::ostream& questions, const std::string& question,
         const Take& take) {
  for (std::string answer;;) {
    questions << question << ": " << std::flush;
    if (!next_answer(answers, answer) || answer.empty()) return;
    const std::string wrong = take(answer);
    if (wrong.empty()) return;
    questions << wrong;
  }
}

}  // namespace

void ask_for_missing(std::istream& answers, std::ostream& questions,
                     const scenario::Library& library, ScenarioRequest& request) {
  if (!complaint(request, library).empty()) return;  // of the flags: reported with the plan
  for (const NewQuestion& question : kNewQuestions) {
    if (request.*question.value) continue;
    const auto plan = plan_of(request, library);
    ask(answers, questions, fmt::format("{} [{}]", question.text, question.usual(*plan)),
        [&](const std::string& answer) {
          ScenarioRequest tried = request;
          tried.*question.value = answer;
          std::string wrong = complaint(tried, library);
          if (wrong.empty()) request = std::move(tried);
          return wrong;
        });
  }
  if (!request.layouts.empty()) return;
  const auto plan = plan_of(request, library);
  ask(answers, questions,
      fmt::format("Layouts (passthrough, vgpu, mig, both, all) [{}]",
                  plan->layouts.size() > 1 ? "both" : plan->layouts.front().name),
      [&](const std::string& answer) {
        ScenarioRequest tried = request;
        tried.layouts = {answer};
        std::string wrong = complaint(tried, library);
        if (wrong.empty()) request = std::move(tried);
        return wrong;
      });
}

}  // namespace vgsim::cli
