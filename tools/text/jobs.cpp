#include "tools/text/jobs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tools/text/figures.hpp"
#include "tools/text/words.hpp"

namespace vgsim::text {
namespace {

using scenario::JobLoss;
using scenario::JobResult;

constexpr double kLeast = 0.0005;

std::string listed(const std::vector<JobLoss>& losses, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(losses.size(), most); ++i) {
    const JobLoss& loss = losses[i];
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", loss.cause, whole_percent(loss.share));
    if (!loss.resource.empty() && i == 0) text += fmt::format(" ({})", loss.resource);
  }
  return text;
}

}  // namespace

std::string loss_words(const JobResult& job) {
  constexpr std::size_t kMostNames = 2;
  if (job.slowdown < 1 + kLeast) return "as alone";
  std::string text = fmt::format("{} longer than alone", whole_percent(job.slowdown - 1));
  const std::string resources = listed(job.by_resource, kMostNames);
  const std::string jobs = listed(job.by_job, kMostNames);
  if (!resources.empty()) text += ": " + resources;
  if (!jobs.empty()) text += fmt::format("; by {}", jobs);
  return text;
}

void add_jobs(const scenario::LayoutResult& layout, std::size_t most_lines, ScreenLines& lines) {
  std::vector<std::size_t> order(layout.jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return layout.jobs[a].slowdown > layout.jobs[b].slowdown;
  });
  for (std::size_t i = 0; i < order.size() && i < most_lines; ++i) {
    const JobResult& job = layout.jobs[order[i]];
    const bool is_last = i + 1 == most_lines && order.size() > most_lines;
    const std::string text =
        is_last ? fmt::format("{} more: --full", order.size() - i)
                : fmt::format("{}: epoch {}, {}", job.name, time_figure(job.epoch_s, std::nullopt),
                              loss_words(job));
    lines.labelled(i == 0 ? "jobs" : "", text, 2);
  }
}

}  // namespace vgsim::text
