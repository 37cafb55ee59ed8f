#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/screen_lines.hpp"

namespace vgsim::cli {

/// Names of layouts for sentences: printable, not too long, in quotes where one has a comma.
[[nodiscard]] std::vector<std::string> sentence_names(const scenario::ScenarioResult& result);

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

}  // namespace vgsim::cli
