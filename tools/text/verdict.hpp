#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::text {

/// The figure that ranks layouts: the time of the whole training, or of the largest collective.
struct Measure {
  double seconds = 0.0;
  std::optional<scenario::Interval> interval;  ///< of them
  std::string length;                          ///< "3 epochs"; empty for a collective
  double samples = 0.0;                        ///< trained in that time
  double samples_per_s = 0.0;
  Known rate_known;        ///< of samples_per_s
  std::string collective;  ///< "all_reduce of 8 GiB"
  double busbw_GBps = 0.0;
};

/// Of a layout that was simulated, or of one in a saved result (an object of "layouts").
[[nodiscard]] Measure measure_of(const scenario::LayoutResult& layout);
[[nodiscard]] std::optional<Measure> measure_of(const nlohmann::ordered_json& layout);

/// One of several subjects that do the same work.
struct Ranked {
  std::string name;
  Measure measure;
  scenario::Gap gap;  ///< to the fastest
};

/// The fastest and its time, the slower ones and their confidence, or that there is no
/// significant difference. `ranked` begins with the fastest; at most `most_slower` slower ones are
/// named.
[[nodiscard]] std::string ranking_sentence(const std::vector<Ranked>& ranked,
                                           std::size_t most_slower = 1);

/// Names of layouts for sentences: printable, shortened, in quotes if they contain a comma.
[[nodiscard]] std::vector<std::string> sentence_names(std::vector<std::string> names);
[[nodiscard]] std::vector<std::string> sentence_names(const scenario::ScenarioResult& result);

/// The name, with its number of GPUs where layouts differ in it: "vgpu (16 GPUs)".
[[nodiscard]] std::string name_with_gpus(const std::string& name, std::size_t gpus,
                                         bool others_have_as_many);

/// The fastest layout, its time and its confidence: a sentence for each kind of work.
[[nodiscard]] std::vector<std::string> verdict_sentences(
    const scenario::ScenarioResult& result, const std::vector<scenario::RankedGroup>& groups);

/// Layouts that were refused, with rule and reason: a sentence for each reason.
[[nodiscard]] std::vector<std::string> refusal_sentences(const scenario::ScenarioResult& result);

/// Events without effect, because they cannot occur or the job ends before, and hosts that
/// cannot be evacuated: a sentence for each reason.
[[nodiscard]] std::vector<std::string> unpriced_sentences(const scenario::ScenarioResult& result);

/// Adds sentences under a label, each of two lines at most; if not all fit, the last line shows
/// how many are left out. Returns how many lines it took.
std::size_t add_sentences(const char* label, const std::vector<std::string>& sentences,
                          std::size_t most_lines, Tone tone, ScreenLines& lines);

/// "64 KiB", "1.5 GB": a size in binary units if it is a power of two.
[[nodiscard]] std::string size_words(Bytes size);

/// Adds open points of the layouts, each once: missing input (`needed`), or the assumptions
/// made instead. Leaves out those that begin a sentence in `said`.
void add_open_points(const scenario::ScenarioResult& result, bool needed, ScreenLines& lines,
                     const std::vector<std::string>& said = {});

}  // namespace vgsim::text
