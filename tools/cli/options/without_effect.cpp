#include "tools/cli/options/without_effect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/tables/result_table.hpp"

namespace vgsim::cli {
namespace {

using scenario::PreparedLayout;
using scenario::PreparedScenario;

bool is_collective(const PreparedLayout& layout) {
  return layout.placement.job.collective.has_value();
}

bool shards_its_model(const PreparedLayout& layout) {
  const auto& training = layout.placement.job.training;
  return training && !training->data_parallel_only;
}

/// Time slices on shared GPUs begin alike in each run: they are not drawn.
bool varies_at_random(const PreparedLayout& layout) {
  return layout.placement.job.variability.compute_sigma > 0.0;
}

/// The sentence on an option, if it has no effect on some of the layouts that run.
class WithoutEffect {
 public:
  explicit WithoutEffect(const PreparedScenario& prepared) : prepared_(prepared) {}

  template <class Is>
  void add(const std::string& option, const Is& is, const char* reason, const char* remedy) {
    std::vector<std::string> layouts;
    std::size_t running = 0;
    for (const PreparedLayout& layout : prepared_.layouts) {
      if (layout.is_refused()) continue;
      ++running;
      if (is(layout)) layouts.push_back(fmt::format("\"{}\"", layout.placement.layout->name));
    }
    if (layouts.empty()) return;
    const std::string of =
        running == 1 ? std::string("here") : fmt::format("on {}", fmt::join(layouts, ", "));
    const std::string others =
        layouts.size() < running ? ", or run the other layouts alone (--layout)" : "";
    sentences.push_back(
        fmt::format("{} has no effect {}: {}; {}{}", option, of, reason, remedy, others));
  }

  std::vector<std::string> sentences;

 private:
  const PreparedScenario& prepared_;
};

}  // namespace

bool may_be_without_effect(const RunOptions& options) {
  const scenario::RunSettings& settings = options.settings;
  return settings.seeds > 1 || settings.seed || settings.fidelity || !settings.find_repeat ||
         options.trace || options.draws.value_or(0) > 0;
}

std::vector<std::string> options_without_effect(const RunOptions& options,
                                                const PreparedScenario& prepared) {
  const scenario::RunSettings& settings = options.settings;
  WithoutEffect found(prepared);
  if (settings.seeds > 1) {
    const std::string option = fmt::format("--seeds {}", settings.seeds);
    found.add(option, is_collective, "a bare collective draws nothing at random", "leave it out");
    found.add(
        option,
        [](const PreparedLayout& layout) {
          return !is_collective(layout) && !varies_at_random(layout);
        },
        "nothing of the job varies at random",
        "leave it out, or set how much it varies (/variability/compute_sigma)");
  }
  if (settings.seed && options.draws == std::uint64_t{0}) {
    found.add(
        fmt::format("--seed {}", *settings.seed),
        [](const PreparedLayout& layout) { return !varies_at_random(layout); },
        "it has no effect without draws", "leave it out, or draw (--draws 20)");
  }
  if (settings.fidelity == collectives::Fidelity::kChunk) {
    found.add("--fidelity chunk", shards_its_model,
              "collectives of a job that shards its model or its states are fluid", "leave it out");
  }
  if (!settings.find_repeat) {
    found.add("--no-period", is_collective, "a bare collective has no iterations", "leave it out");
  }
  if (options.trace) {
    found.add("--trace", is_collective, "a bare collective has no iteration to write",
              "leave it out, or trace a training job");
  }
  auto more = draws_without_effect(options.draws, prepared);
  found.sentences.insert(found.sentences.end(), more.begin(), more.end());
  return std::move(found.sentences);
}

std::vector<std::string> draws_without_effect(std::optional<std::uint64_t> draws,
                                              const PreparedScenario& prepared) {
  WithoutEffect found(prepared);
  const auto running =
      std::count_if(prepared.layouts.begin(), prepared.layouts.end(),
                    [](const PreparedLayout& layout) { return !layout.is_refused(); });
  if (draws.value_or(0) > 0 && running == 1) {
    found.add(fmt::format("--draws {}", *draws), is_collective,
              "the interval of a bare collective comes from measurements, and there is no other "
              "layout to compare it with",
              "leave it out");
  }
  return std::move(found.sentences);
}

std::vector<std::string> table_options_without_effect(const std::optional<std::string>& out,
                                                      Format format, bool full) {
  std::vector<std::string> sentences;
  if (out && (out->ends_with(".html") || out->ends_with(".htm"))) {
    return {fmt::format("{} would be no page: vgsim report SCENARIO -o {} writes one", *out, *out)};
  }
  if (!out || !tables::table_kind(*out)) return sentences;
  const auto add = [&](const char* option) {
    sentences.push_back(
        fmt::format("{} has no effect on a table ({}); leave it out, or name "
                    "another file",
                    option, *out));
  };
  if (format == Format::kJson) add("--format json");
  if (full) add("--full");
  return sentences;
}

int report_options(const std::vector<std::string>& sentences, const char* command) {
  if (sentences.empty()) return kDone;
  std::string text;
  for (const std::string& sentence : sentences) text += fmt::format("vgsim: {}\n", sentence);
  write_message(text + fmt::format("See vgsim help {}.\n", command));
  return kBadInput;
}

}  // namespace vgsim::cli
