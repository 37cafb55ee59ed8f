#include "tests/generated/invariants.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <optional>
#include <set>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/studies/studies.hpp"
#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/answer/result_shape.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/overrides.hpp"
#include "sim/engine.hpp"
#include "sim/units.hpp"
#include "tests/generated/figures.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/screen/run_screen.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/html.hpp"
#include "tools/report/markdown.hpp"
#include "tools/report/report.hpp"
#include "tools/text/figures.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::generated {
namespace {

using scenario::ScenarioResult;

constexpr std::uint64_t kMemory = std::uint64_t{2} << 30;
/// Time limit of an engine in seconds: a longer job ends with an error, as with `--max-events`, and
/// does not count as a hanging process.
constexpr std::uint64_t kEvents = 1'000'000;
/// A job that runs longer ends with an error, too, as with `--time-limit`: a process that
/// continues after that counts as hanging.
constexpr std::chrono::seconds kTime{10};

scenario::RunSettings usual_settings() {
  scenario::RunSettings settings;
  settings.memory_limit = kMemory;
  settings.limits.max_events = kEvents;
  return settings;
}

scenario::RunSettings with_time_limit(scenario::RunSettings settings) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + kTime;
  settings.limits.deadline_passed = [end] { return Clock::now() >= end; };
  return settings;
}

/// Why there is no result, of those reasons that are an answer; else the exception goes on.
template <class Run>
std::optional<std::string> limit_of(const Run& run) {
  try {
    run();
    return std::nullopt;
  } catch (const OverflowError& error) {
    return error.what();
  } catch (const LimitExceeded& error) {
    return error.what();
  } catch (const Stalled&) {
    return "never ends";
  }
}

/// What refuses a layout or warns of it.
std::set<std::string> words_of(const ScenarioResult& result) {
  std::set<std::string> words;
  for (const auto& layout : result.layouts) {
    if (layout.refused) words.insert(layout.name + " is refused");
    for (const auto& warning : layout.warnings) words.insert(layout.name + ": " + warning.rule);
  }
  return words;
}

std::string list_of(const std::set<std::string>& words, const std::set<std::string>& without) {
  std::string list;
  for (const std::string& word : words) {
    if (!without.contains(word)) list += (list.empty() ? "" : ", ") + word;
  }
  return list;
}

class Examination {
 public:
  Examination(const std::string& text, const std::string& path, const scenario::Library& library,
              const Depth& depth)
      : library_(library), depth_(depth), path_(path), file_(input::make_source(path, text)) {}

  Examined all() {
    auto document = scenario::Document::parse(file_);
    if (!document) return {"invalid", {}};
    auto input = cli::as_scenario_input(path_, *document, {});
    if (!input) return {"invalid", {}};
    input_ = std::move(*input);
    guarded("validate", [&] { validate(); });
    guarded("run", [&] { run(); });
    if (result_) {
      for (const auto& layout : result_->layouts) look_at_figures(layout, found_);
      if (depth_.draws > 0) guarded("floor", [&] { floor(); });
      if (depth_.screens) guarded("screens", [&] { screens(); });
      if (depth_.screens) guarded("schema", [&] { schema(); });
      // What takes many runs is looked at where one of them is little work.
      const bool little = scenario::usual_draws(*result_) > 0;
      if (depth_.report && little) guarded("report", [&] { report(); });
      if (depth_.twice) guarded("once more", [&] { once_more(); });
      if (depth_.threads && little) guarded("threads", [&] { threads(); });
    }
    return {outcome_, found_};
  }

 private:
  void say(const std::string& invariant, const std::string& detail) {
    found_.push_back({invariant, detail});
  }

  template <class Step>
  void guarded(const std::string& what, const Step& step) {
    try {
      step();
    } catch (const LimitExceeded&) {  // another run takes more events than the first one
    } catch (const std::bad_alloc&) {
      say("out of memory", what);
    } catch (const std::exception& error) {
      say("internal error", what + ": " + error.what());
    }
  }

  void validate() {
    std::optional<tl::expected<ScenarioResult, input::Diagnostics>> answer;
    validate_limit_ = limit_of(
        [&] { answer = scenario::validate_scenario(input_.document, library_, input_.load); });
    if (!answer) return;
    valid_ = answer->has_value();
    if (valid_) {
      valid_words_ = words_of(**answer);
      return;
    }
    errors_ = input::render(answer->error());
    if (errors_.empty()) say("refused without a reason", "validate");
  }

  void run() {
    std::optional<tl::expected<ScenarioResult, input::Diagnostics>> answer;
    const scenario::RunSettings settings = with_time_limit(usual_settings());
    const auto limit = limit_of([&] {
      answer = cli::run_input(input_, library_, 0, settings);
      // Draws are asked for where a run has some by itself: elsewhere they take minutes.
      if (depth_.draws > 0 && *answer && scenario::usual_draws(**answer) > 0) {
        answer = cli::run_input(input_, library_, depth_.draws, settings);
      }
    });
    if (limit) {
      outcome_ = "limit";
      if (limit->empty()) say("refused without a reason", "run, by a limit");
      return;
    }
    if (!*answer) {
      outcome_ = "invalid";
      const std::string errors = input::render(answer->error());
      if (valid_) say("validate and run differ", "run alone finds: " + errors);
      if (!valid_ && errors != errors_) {
        say("validate and run differ", "validate: " + errors_ + " run: " + errors);
      }
      return;
    }
    result_ = std::move(**answer);
    compare_with_validation();
    const auto refused = std::count_if(result_->layouts.begin(), result_->layouts.end(),
                                       [](const auto& layout) { return layout.refused; });
    outcome_ = refused == static_cast<std::ptrdiff_t>(result_->layouts.size()) ? "refused" : "ran";
  }

  void compare_with_validation() {
    if (!valid_) {
      say("validate and run differ", "it runs, although validate reports: " + errors_);
      return;
    }
    const std::set<std::string> words = words_of(*result_);
    const std::string missing = list_of(valid_words_, words);
    if (!missing.empty()) say("validate and run differ", "only validate reports: " + missing);
    for (const auto& layout : result_->layouts) {
      if (layout.refused && !valid_words_.contains(layout.name + " is refused")) {
        say("validate and run differ", "run alone refuses " + layout.name);
      }
    }
  }

  void floor() {
    // Links that come and go have no one rate, and others move less while the job is faster.
    if (input_.document.has("faults") || input_.document.has("neighbours")) return;
    // What goes on beside a collective is carried by the same links, and may end after it.
    if (input_.document.canonical().find("\"beside\"") != std::string::npos) return;
    input::Diagnostics diagnostics;
    const auto ideal =
        scenario::with_overrides(input_.document,
                                 {scenario::set_text("/idealise/bandwidth", "line_rate"),
                                  scenario::set_text("/idealise/latency", "zero")},
                                 diagnostics);
    if (diagnostics.has_errors()) return;
    const auto answer = scenario::run_scenario(ideal, library_, input_.load, usual_settings());
    if (!answer) return;
    for (std::size_t i = 0; i < result_->layouts.size() && i < answer->layouts.size(); ++i) {
      look_at_floor(result_->layouts[i], answer->layouts[i], found_);
    }
  }

  std::optional<scenario::BestChange> best_change() {
    const auto groups = scenario::ranked_groups(*result_);
    if (groups.empty()) return std::nullopt;
    return scenario::find_best_change(input_.document, result_->layouts[groups.front().fastest()],
                                      library_, input_.load, usual_settings());
  }

  void screens() {
    cli::RunAnswer answer{*result_, std::nullopt, "vgsim explain scenario.json"};
    answer.best = best_change();
    const std::string screen = cli::run_screen(answer, {});
    const std::string full = cli::run_in_full(answer, {});
    for (const std::string* text : {&screen, &full}) look_for_odd_words(*text);
    text_equals_json(full);
  }

  /// What reads results of vgsim may rely on the schema that it publishes.
  void schema() {
    static const input::Shape shape = scenario::result_shape();
    const auto manifest = cli::manifest_of(input_, std::nullopt, depth_.draws);
    const auto text = input::make_source("result.json", scenario::to_json(*result_, manifest));
    const auto value = input::read_json(text);
    if (!value) return say("the result is not JSON", input::render(value.error()));
    input::Diagnostics diagnostics;
    input::check(*value, shape, diagnostics);
    if (diagnostics.has_errors()) say("the result breaks its schema", input::render(diagnostics));
  }

  void look_for_odd_words(const std::string& text) {
    for (const char* word : {"nan", "inf", "-nan", "-inf"}) {
      for (std::size_t at = text.find(word); at != std::string::npos;
           at = text.find(word, at + 1)) {
        const auto is_letter = [&](std::size_t i) {
          return i < text.size() && (std::isalpha(static_cast<unsigned char>(text[i])) != 0);
        };
        if (is_letter(at + std::string(word).size()) || (at > 0 && is_letter(at - 1))) continue;
        say("text that is not a number", text.substr(at > 40 ? at - 40 : 0, 80));
        return;
      }
    }
  }

  /// The figures that the first lines of the text have, as JSON has them.
  void text_equals_json(const std::string& full) {
    for (const auto& layout : result_->layouts) {
      if (layout.refused || !layout.training) continue;
      const auto all = scenario::metrics_of(layout);
      for (const auto& metric : all) {
        if (metric.name != "iteration_time_s") continue;
        const std::string words = text::figure(metric, all);
        const bool stands = full.find(words) != std::string::npos;
        if (!stands) say("text and JSON differ", layout.name + ": " + metric.name + " " + words);
      }
    }
  }

  void report() {
    auto settings = usual_settings();
    settings.record = true;
    auto result = cli::run_input(input_, library_, depth_.draws, settings);
    if (!result) return say("report and run differ", input::render(result.error()));
    settings.record = false;
    report::Report made;
    made.result = std::move(*result);
    made.studies =
        scenario::run_studies(input_.document, made.result, library_, input_.load, settings);
    if (!report::by_speed(made).empty()) made.best = best_change();
    made.manifest = cli::manifest_of(input_, std::nullopt, depth_.draws);
    const report::Page page = report::page_of(made);
    look_for_odd_words(report::to_markdown(page));
    if (report::to_html(page).empty()) say("empty report", "html");
  }

  void once_more() {
    std::size_t ranks = 0;
    for (const auto& layout : result_->layouts) ranks = std::max(ranks, layout.ranks);
    if (ranks > 16) return;
    auto settings = usual_settings();
    settings.use_symmetry = false;
    const auto answer = scenario::run_scenario(input_.document, library_, input_.load, settings);
    if (!answer) return say("runs differ", input::render(answer.error()));
    for (std::size_t i = 0; i < result_->layouts.size(); ++i) {
      if (answer->layouts[i].fingerprint != result_->layouts[i].fingerprint) {
        say("symmetry changes the result", result_->layouts[i].name);
      }
    }
  }

  /// Draws are dealt to as many threads as there are processors for this process.
  void threads() {
    const auto with = [&] {
      auto result = cli::run_input(input_, library_, 4, usual_settings());
      return result ? scenario::to_json(*result) : input::render(result.error());
    };
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    const std::string many = with();
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &all) && CPU_COUNT(&one) == 0) CPU_SET(cpu, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
    const std::string single = with();
    sched_setaffinity(0, sizeof all, &all);
    if (many != single) say("threads change the result", "draws");
  }

  const scenario::Library& library_;
  const Depth& depth_;
  const std::string& path_;
  input::SourcePtr file_;
  cli::ScenarioInput input_;
  std::string outcome_ = "invalid";
  std::vector<Violation> found_;
  std::optional<std::string> validate_limit_;
  bool valid_ = false;
  std::string errors_;
  std::set<std::string> valid_words_;
  std::optional<ScenarioResult> result_;
};

}  // namespace

Depth depth_of(std::uint64_t number) {
  Depth depth;
  depth.draws = number % 2 == 0 ? 6 : 0;
  depth.screens = number % 3 == 0;
  depth.report = number % 15 == 0;
  depth.twice = number % 5 == 0;
  depth.threads = number % 13 == 0;
  return depth;
}

Depth whole_depth() { return {20, true, true, true, true}; }

Examined examine(const std::string& text, const std::string& path, const scenario::Library& library,
                 const Depth& depth) {
  return Examination(text, path, library, depth).all();
}

nlohmann::ordered_json to_json(const Examined& examined) {
  nlohmann::ordered_json made = {{"outcome", examined.outcome},
                                 {"violations", nlohmann::ordered_json::array()}};
  for (const Violation& violation : examined.violations) {
    made["violations"].push_back(
        {{"invariant", violation.invariant}, {"detail", violation.detail}});
  }
  return made;
}

}  // namespace vgsim::generated
