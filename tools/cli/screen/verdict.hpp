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

/// Which layouts were not simulated, and by which rule: a sentence a rule.
[[nodiscard]] std::vector<std::string> refusal_sentences(const scenario::ScenarioResult& result);

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
