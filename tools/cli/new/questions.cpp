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
  std::optional<std::string> NewWishes::*wish;
  std::string (*usual)(const NewPlan&);
};

constexpr NewQuestion kNewQuestions[] = {
    {"Server (vgsim catalog servers)", &NewWishes::server,
     [](const NewPlan& plan) { return plan.server->id; }},
    {"Hosts", &NewWishes::hosts, [](const NewPlan& plan) { return fmt::format("{}", plan.hosts); }},
    {"GPUs of each", &NewWishes::gpus,
     [](const NewPlan& plan) { return fmt::format("{} x {}", plan.gpus, plan.gpu->id); }},
    {"Network to train (vgsim catalog networks)", &NewWishes::network,
     [](const NewPlan& plan) { return plan.network; }},
    {"Split by (fsdp, ddp, tensor=4,pipeline=2 ...)", &NewWishes::parallel,
     [](const NewPlan&) { return std::string("what fits"); }},
    {"Samples of a GPU in an iteration", &NewWishes::batch,
     [](const NewPlan&) { return std::string("what fits"); }}};

/// What is wrong with the wishes so far, in a line each; empty if nothing is.
std::string complaint(const NewWishes& wishes, const scenario::Library& library) {
  const auto plan = plan_of(wishes, library);
  return plan ? std::string() : input::render(plan.error());
}

bool next_answer(std::istream& answers, std::string& answer) {
  if (!std::getline(answers, answer)) return false;
  const std::size_t first = answer.find_first_not_of(" \t\r");
  const std::size_t last = answer.find_last_not_of(" \t\r");
  answer = first == std::string::npos ? "" : answer.substr(first, last - first + 1);
  return true;
}

/// Until `take` accepts an answer.
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

void ask_for_wishes(std::istream& answers, std::ostream& questions,
                    const scenario::Library& library, NewWishes& wishes) {
  if (!complaint(wishes, library).empty()) return;  // of the flags: told by whoever plans
  for (const NewQuestion& question : kNewQuestions) {
    if (wishes.*question.wish) continue;
    const auto plan = plan_of(wishes, library);
    ask(answers, questions, fmt::format("{} [{}]", question.text, question.usual(*plan)),
        [&](const std::string& answer) {
          NewWishes tried = wishes;
          tried.*question.wish = answer;
          std::string wrong = complaint(tried, library);
          if (wrong.empty()) wishes = std::move(tried);
          return wrong;
        });
  }
  if (!wishes.layouts.empty()) return;
  const auto plan = plan_of(wishes, library);
  ask(answers, questions,
      fmt::format("Layouts (passthrough, vgpu, mig, both, all) [{}]",
                  plan->layouts.size() > 1 ? "both" : plan->layouts.front().name),
      [&](const std::string& answer) {
        NewWishes tried = wishes;
        tried.layouts = {answer};
        std::string wrong = complaint(tried, library);
        if (wrong.empty()) wishes = std::move(tried);
        return wrong;
      });
}

}  // namespace vgsim::cli
