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
  const char* name;   ///< of the option
  const char* label;  ///< in a form
  const char* text;   ///< in a terminal
  std::optional<std::string> ScenarioRequest::*value;
  std::string (*usual)(const NewPlan&);
};

constexpr NewQuestion kNewQuestions[] = {
    {"server", "Server", "Server (vgsim catalog servers)", &ScenarioRequest::server,
     [](const NewPlan& plan) { return plan.server->id; }},
    {"hosts", "Hosts", "Hosts", &ScenarioRequest::hosts,
     [](const NewPlan& plan) { return fmt::format("{}", plan.hosts); }},
    {"gpus", "GPUs of each host", "GPUs of each", &ScenarioRequest::gpus,
     [](const NewPlan& plan) { return fmt::format("{} x {}", plan.gpus, plan.gpu->id); }},
    {"network", "Network to train", "Network to train (vgsim catalog networks)",
     &ScenarioRequest::network, [](const NewPlan& plan) { return plan.network; }},
    {"parallel", "Parallelism", "Split by (fsdp, ddp, tensor=4,pipeline=2 ...)",
     &ScenarioRequest::parallel, [](const NewPlan&) { return std::string("what fits"); }},
    {"batch", "Samples of a GPU in an iteration", "Samples of a GPU in an iteration",
     &ScenarioRequest::batch, [](const NewPlan&) { return std::string("what fits"); }}};

std::string usual_layouts(const NewPlan& plan) {
  return plan.layouts.size() > 1 ? "both" : plan.layouts.front().name;
}

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

/// Options that the terminal does not ask for.
constexpr NewQuestion kOtherFields[] = {
    {"nic", "NIC model", "", &ScenarioRequest::nic,
     [](const NewPlan& plan) { return plan.nic == nullptr ? std::string("none") : plan.nic->id; }},
    {"nics", "NICs of each host", "", &ScenarioRequest::nics,
     [](const NewPlan& plan) { return fmt::format("{}", plan.nics); }},
    {"profile", "vGPU profile", "", &ScenarioRequest::profile,
     [](const NewPlan&) { return std::string("a whole GPU"); }},
    {"vsphere", "vSphere", "", &ScenarioRequest::vsphere,
     [](const NewPlan& plan) { return plan.vsphere; }}};

}  // namespace

std::vector<FormField> form_fields(const ScenarioRequest& request,
                                   const scenario::Library& library) {
  auto plan = plan_of(request, library);
  if (!plan) plan = plan_of({}, library);
  std::vector<FormField> fields;
  for (const NewQuestion& each : kNewQuestions) {
    fields.push_back({each.name, each.label, plan ? each.usual(*plan) : ""});
  }
  fields.push_back({"layout", "Layouts", plan ? usual_layouts(*plan) : ""});
  for (const NewQuestion& each : kOtherFields) {
    fields.push_back({each.name, each.label, plan ? each.usual(*plan) : ""});
  }
  return fields;
}

ScenarioRequest answered_request(const std::map<std::string, std::string>& answers) {
  ScenarioRequest request;
  const auto answer = [&](const char* name) {
    const auto found = answers.find(name);
    return found == answers.end() || found->second.empty() ? std::nullopt
                                                           : std::optional(found->second);
  };
  for (const NewQuestion& each : kNewQuestions) request.*each.value = answer(each.name);
  for (const NewQuestion& each : kOtherFields) request.*each.value = answer(each.name);
  if (const auto layout = answer("layout")) request.layouts = {*layout};
  return request;
}

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
      fmt::format("Layouts (passthrough, vgpu, mig, both, all) [{}]", usual_layouts(*plan)),
      [&](const std::string& answer) {
        ScenarioRequest tried = request;
        tried.layouts = {answer};
        std::string wrong = complaint(tried, library);
        if (wrong.empty()) request = std::move(tried);
        return wrong;
      });
}

}  // namespace vgsim::cli
