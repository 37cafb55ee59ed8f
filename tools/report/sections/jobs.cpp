#include "tools/text/jobs.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"

namespace vgsim::report {
namespace {

using scenario::JobResult;
using scenario::LayoutResult;

std::vector<std::string> row_of(const LayoutResult& layout, const JobResult& job, bool named) {
  const auto time = [](double seconds) { return text::time_figure(seconds, std::nullopt); };
  return {named ? fmt::format("{}, {}", layout.name, job.name) : job.name,
          job.network,
          std::to_string(job.ranks),
          time(job.start_s),
          time(to_seconds(job.iteration_alone)),
          time(to_seconds(job.iteration)),
          time(job.epoch_alone_s),
          time(job.epoch_s),
          text::loss_words(job)};
}

}  // namespace

std::optional<Section> jobs_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult* layout : simulated(report)) {
    if (!layout->jobs.empty()) layouts.push_back(layout);
  }
  if (layouts.empty()) return std::nullopt;
  Table table{{{"job", false},
               {"network", false},
               {"GPUs", true},
               {"start", true},
               {"iteration alone", true},
               {"iteration", true},
               {"epoch alone", true},
               {"epoch", true},
               {"loss", false}},
              {}};
  const JobResult* worst = &layouts.front()->jobs.front();
  for (const LayoutResult* layout : layouts) {
    for (const JobResult& job : layout->jobs) {
      table.rows.push_back(row_of(*layout, job, layouts.size() > 1));
      if (layout == layouts.front() && job.slowdown > worst->slowdown) worst = &job;
    }
  }
  return Section{"jobs",
                 "Jobs",
                 fmt::format("{}: {}", worst->name, text::loss_words(*worst)),
                 {std::move(table)}};
}

}  // namespace vgsim::report
