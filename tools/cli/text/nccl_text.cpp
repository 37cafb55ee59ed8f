#include "tools/cli/text/nccl_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/collectives/nccl/notes.hpp"
#include "tools/cli/text/nccl_graphs_text.hpp"
#include "tools/cli/text/nccl_paths_text.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/binary_size.hpp"

namespace vgsim::cli {
namespace {

namespace nccl = collectives::nccl;

std::string heading(const nccl::Outcome& outcome) {
  const nccl::Decision& decision = outcome.decision;
  const nccl::Communicator& comm = outcome.communicator;
  const auto ranks = static_cast<std::size_t>(comm.ranks);
  const std::string of_release =
      outcome.constants.version == outcome.constants.release
          ? ""
          : fmt::format(" (constants of {})", to_string(outcome.constants.release));
  return fmt::format("NCCL {}{} on {}, {}\n{} of compute capability {:.1f} in {}\n",
                     to_string(outcome.constants.version), of_release, outcome.topology,
                     text::plural(outcome.hosts, "host"), text::plural(ranks, "GPU"),
                     comm.min_sm / 10.0, text::plural(decision.nodes.size(), "NCCL node"));
}

/// "nvlstree Simple".
std::string candidate_text(const nccl::Candidate& candidate) {
  return fmt::format("{} {}", to_string(candidate.algorithm), to_string(candidate.protocol));
}

std::string stretches_text(const nccl::Outcome& outcome, nccl::Function function) {
  const auto stretches = stretches_of(outcome, function);
  if (stretches.empty()) return "no algorithm supports it";
  std::string text;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::string name = candidate_text(stretches[i].choice);
    const bool is_last = i + 1 == stretches.size();
    text += i == 0 ? "" : is_last ? ", then " : ", ";
    text += is_last ? name
                    : fmt::format("{} to {}", name, input::format_binary_size(stretches[i].last));
  }
  return text;
}

std::string choice_text(const nccl::Outcome& outcome) {
  std::string text = "\nchoice by size of the buffer\n";
  for (std::size_t f = nccl::kFunctions; f-- > 0;) {
    const auto function = static_cast<nccl::Function>(f);
    text += fmt::format("  {}\n", text::wrap(fmt::format("{:<13}  {}", to_string(function),
                                                         stretches_text(outcome, function)),
                                             17));
  }
  return text;
}

std::string us_text(double us) {
  return us < 1000 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string calls_text(const nccl::Outcome& outcome, std::span<const Bytes> sizes) {
  text::Table table;
  table.add_row(
      {"", "size", "runs", "channels", "threads", "chunk", "us", "bus GB/s", "next best", "us"});
  for (const Bytes size : sizes) {
    const nccl::Call call = call_of(outcome, nccl::Function::kAllReduce, size);
    if (call.candidates.empty()) return {};
    std::vector<std::string> row{"",
                                 input::format_binary_size(size),
                                 candidate_text(call.candidates[0]),
                                 fmt::format("{}", call.work.channels_used),
                                 fmt::format("{}", call.work.warps * 32),
                                 input::format_binary_size(call.work.chunk),
                                 us_text(call.candidates[0].us),
                                 fmt::format("{:.2f}", call.busbw_GBps)};
    if (call.candidates.size() > 1) {
      row.push_back(candidate_text(call.candidates[1]));
      row.push_back(us_text(call.candidates[1].us));
    }
    table.add_row(std::move(row));
  }
  return "\nAllReduce as NCCL predicts it, which serves its choice only: small calls take about "
         "twice as long\n" +
         table.text();
}

std::string notes_text(const nccl::Outcome& outcome) {
  std::string text;
  for (const nccl::Note& note : notes_of(outcome)) {
    text += fmt::format("  {}\n", text::wrap(fmt::format("- {} [{}]", note.text, note.rule), 4));
  }
  return text.empty() ? text : "\nnotes\n" + text;
}

}  // namespace

std::string nccl_text(const nccl::Outcome& outcome, std::span<const Bytes> sizes) {
  std::string text = heading(outcome);
  const auto& kinds = outcome.decision.kinds;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds.size() > 1) text += fmt::format("\nnode {} of a host", kind);
    text += nccl_paths_text(kinds[kind]);
  }
  if (outcome.communicator.ranks < 2) return text + "\none GPU: nothing to exchange\n";
  return text + nccl_graphs_text(outcome) + choice_text(outcome) + calls_text(outcome, sizes) +
         notes_text(outcome);
}

}  // namespace vgsim::cli
