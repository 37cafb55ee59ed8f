#include "tools/text/operations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "tools/text/fitting.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::text {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;

std::string answer_to(const LayoutResult& layout, vsphere::Operation operation) {
  const auto answer = layout.answer_about(operation);
  if (!answer) return "yes";
  return (answer->is_available ? "yes, " : "no, ") + answer->why;
}

struct Answer {
  std::string text;
  std::vector<std::string> names;  ///< of the operations or layouts that share it
};

void add_to(std::vector<Answer>& answers, const std::string& text, const std::string& name) {
  auto same = std::find_if(answers.begin(), answers.end(),
                           [&](const Answer& each) { return each.text == text; });
  if (same == answers.end()) same = answers.insert(same, {text, {}});
  same->names.push_back(name);
}

/// Operations with the same answer are named together.
std::string answers_of(const LayoutResult& layout) {
  std::vector<Answer> answers;
  for (const vsphere::Operation operation : vsphere::kOperations) {
    add_to(answers, answer_to(layout, operation), vsphere::title_of(operation));
  }
  std::string text;
  for (const auto& [answer, titles] : answers) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", names_listed(titles, titles.size()),
                        answer);
  }
  return text;
}

/// "no vMotion and DRS", without reasons.
std::string unavailable_in(const LayoutResult& layout) {
  const auto titles = unavailable_operations(layout);
  return titles.empty() ? "all available" : "no " + names_listed(titles, titles.size());
}

/// Of the layouts that are VMs and not refused.
template <class AnswerOf>
std::vector<Answer> answers_by(const ScenarioResult& result, AnswerOf answer_of) {
  const auto names = sentence_names(result);
  std::vector<Answer> answers;
  for (std::size_t l = 0; l < result.layouts.size(); ++l) {
    const LayoutResult& layout = result.layouts[l];
    if (layout.refused || layout.is_bare_metal()) continue;
    add_to(answers, answer_of(layout), names[l]);
  }
  return answers;
}

/// Without reasons and conditions, in one sentence.
std::string in_short(const ScenarioResult& result) {
  constexpr std::size_t kMostNames = 2;
  const auto answers = answers_by(result, &unavailable_in);
  if (answers.size() == 1) return answers.front().text;
  std::string text;
  for (const auto& [answer, layouts] : answers) {
    text += fmt::format(
        "{}{}: {}", text.empty() ? "" : "; ",
        layouts.size() > kMostNames ? plural(layouts.size(), "layout") : names_listed(layouts),
        answer);
  }
  return text;
}

constexpr const char* kLabel = "operations";

}  // namespace

std::vector<std::string> unavailable_operations(const LayoutResult& layout) {
  std::vector<std::string> titles;
  for (const vsphere::Operation operation : vsphere::kOperations) {
    const auto answer = layout.answer_about(operation);
    if (answer && !answer->is_available) titles.emplace_back(vsphere::title_of(operation));
  }
  return titles;
}

std::vector<std::string> operation_sentences(const ScenarioResult& result) {
  std::vector<std::string> sentences;
  for (const auto& [text, layouts] : answers_by(result, &answers_of)) {
    const bool are_all = layouts.size() == result.layouts.size();
    sentences.push_back(are_all ? text : fmt::format("{}: {}", names_listed(layouts), text));
  }
  return sentences;
}

void add_operations(const ScenarioResult& result, std::size_t most_lines, ScreenLines& lines) {
  const auto sentences = operation_sentences(result);
  if (sentences.empty() || most_lines == 0) return;
  ScreenLines whole = lines;
  for (const std::string& sentence : sentences) {
    if (!whole.fits(kLabel, sentence, most_lines)) break;
    whole.labelled(kLabel, sentence, most_lines);
  }
  const bool is_whole = std::all_of(sentences.begin(), sentences.end(), [&](const auto& each) {
    return whole.fits(kLabel, each, most_lines);
  });
  if (is_whole && whole.size() - lines.size() <= most_lines) {
    lines = std::move(whole);
    return;
  }
  lines.labelled(kLabel, in_short(result), most_lines);
}

}  // namespace vgsim::text
