#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::text {

/// What a layout is judged by: the time of its whole training, or its largest collective.
struct Measure {
  double seconds = 0.0;
  std::optional<scenario::Interval> interval;  ///< of them
  std::string length;                          ///< "3 epochs"; empty: a collective
  double samples = 0.0;                        ///< that are trained in that time
  double samples_per_s = 0.0;
  Known rate_known;        ///< of samples_per_s
  std::string collective;  ///< "all_reduce of 8 GiB"
  double busbw_GBps = 0.0;
};

/// Of a layout that was simulated; of one in a saved result (an object of "layouts").
[[nodiscard]] Measure measure_of(const scenario::LayoutResult& layout);
[[nodiscard]] std::optional<Measure> measure_of(const nlohmann::ordered_json& layout);

/// Something among others that do the same work.
struct Ranked {
  std::string name;
  Measure measure;
  scenario::Gap gap;  ///< to the fastest
};

/// Who is fastest, how long that takes, who is slower and how sure that is; that there is no
/// significant difference where there is none. `ranked` begins with the fastest; so many slower
/// ones are named.
[[nodiscard]] std::string ranking_sentence(const std::vector<Ranked>& ranked,
                                           std::size_t most_slower = 1);

/// Names of layouts for sentences: printable, not too long, in quotes where one has a comma.
[[nodiscard]] std::vector<std::string> sentence_names(std::vector<std::string> names);
[[nodiscard]] std::vector<std::string> sentence_names(const scenario::ScenarioResult& result);

/// A layout that has other GPUs than the rest is not just better or worse: "vgpu (16 GPUs)".
[[nodiscard]] std::string name_with_gpus(const std::string& name, std::size_t gpus,
                                         bool others_have_as_many);

/// Who is fastest, how long that takes and whether it is certain: a sentence for each kind of work.
[[nodiscard]] std::vector<std::string> verdict_sentences(
    const scenario::ScenarioResult& result, const std::vector<scenario::StandingGroup>& groups);

/// Which layouts were not simulated, by which rule, and why: a sentence for each reason.
[[nodiscard]] std::vector<std::string> refusal_sentences(const scenario::ScenarioResult& result);

/// Which events cost nothing, because they cannot occur or the job does not outlive them, and which
/// hosts cannot be emptied: a sentence for each reason.
[[nodiscard]] std::vector<std::string> unpriced_sentences(const scenario::ScenarioResult& result);

/// Adds sentences under a label, each of two lines at most; if not all have room, the last line
/// says how many are left out. Returns how many lines it took.
std::size_t add_sentences(const char* label, const std::vector<std::string>& sentences,
                          std::size_t most_lines, Tone tone, ScreenLines& lines);

/// "64 KiB", "1.5 GB": a size that may be a power of two.
[[nodiscard]] std::string size_words(Bytes size);

/// The point of the largest size; the collective has one.
[[nodiscard]] const scenario::CollectivePoint& largest_point(
    const scenario::CollectiveResult& collective);

/// Says what the layouts rest on though nobody told it, each once: what is needed, or what was
/// taken for it. Those that begin a sentence in `said` are left out.
void add_open_points(const scenario::ScenarioResult& result, bool needed, ScreenLines& lines,
                     const std::vector<std::string>& said = {});

}  // namespace vgsim::text
