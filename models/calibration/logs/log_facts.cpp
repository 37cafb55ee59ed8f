#include "models/calibration/logs/log_facts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "models/calibration/logs/copies/bandwidth_test_log.hpp"
#include "models/calibration/logs/copies/gpu_copy_log.hpp"
#include "models/calibration/logs/copies/nvbandwidth_log.hpp"
#include "models/calibration/logs/copies/p2p_test_log.hpp"
#include "models/calibration/logs/dcgm/dcgm_metrics.hpp"
#include "models/calibration/logs/log_sentences.hpp"
#include "models/calibration/logs/nccl/nccl_messages.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/calibration/logs/perftest/perftest_log.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::calibration {
namespace {

using input::Diagnostics;
using input::SourcePtr;
using Described = tl::expected<LogFacts, Diagnostics>;
namespace codes = topology::import_codes;

void append(std::vector<std::string>& list, std::vector<std::string> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

Described describe_nccl_tests(const SourcePtr& file) {
  LogFacts facts;
  const auto tables = read_nccl_tests_log(file, facts.warnings);
  if (!tables) return tl::unexpected(tables.error());
  facts.found = logs::sentences_of(*tables);
  facts.next = fmt::format(
      "vgsim score --from-log {0} --scenario SCENARIO.json compares it with the model, and vgsim "
      "calibrate {0} --scenario SCENARIO.json fits the model to it",
      file->path);
  return facts;
}

bool tells_nothing(const NcclMessages& messages) {
  return messages.versions.empty() && messages.communicators.empty() &&
         messages.transports.empty() && messages.nics.empty() && messages.settings.empty() &&
         messages.graphs.empty() && messages.problems.empty();
}

Described describe_nccl_messages(const SourcePtr& file) {
  LogFacts facts;
  const auto messages = read_nccl_messages(file, facts.warnings);
  if (!messages) return tl::unexpected(messages.error());
  if (tells_nothing(*messages)) {
    Diagnostics errors;
    errors.error(codes::kNothingInIt.code, {file, 0, 1}, "",
                 "NCCL's messages contain no communicator, connection, NIC or setting",
                 "a run with NCCL_DEBUG=INFO, from its start");
    return tl::unexpected(errors);
  }
  facts.found = logs::sentences_of(*messages);
  facts.next =
      "NCCL's messages contain no times: run nccl-tests on these hosts, with NCCL_TOPO_DUMP_FILE "
      "set, "
      "and give vgsim import both files";
  return facts;
}

template <auto read>
Described describe_measurement(const SourcePtr& file) {
  LogFacts facts;
  const auto measurement = read(file, facts.warnings);
  if (!measurement) return tl::unexpected(measurement.error());
  facts.found = logs::sentences_of(*measurement);
  facts.skipped = logs::sentences_of(measurement->left_out);
  facts.next = fmt::format("vgsim calibrate {} fits the model to it", file->path);
  return facts;
}

Described describe_perftest(const SourcePtr& file) {
  LogFacts facts;
  const auto runs = read_perftest_log(file, facts.warnings);
  if (!runs) return tl::unexpected(runs.error());
  facts.found = logs::sentences_of(*runs);
  facts.skipped = {"perftest: a calibration has no parameters for times of a NIC alone"};
  facts.next =
      "compare the rates with those of the NIC and the fabric in the scenario, and state there "
      "lower rates";
  return facts;
}

Described describe_dcgm(const SourcePtr& file) {
  LogFacts facts;
  const auto metrics = read_dcgm_metrics(file, facts.warnings);
  if (!metrics) return tl::unexpected(metrics.error());
  facts.found = logs::sentences_of(*metrics);
  if (!metrics->unused.empty()) {
    facts.skipped.push_back(
        fmt::format("{}: fields of DCGM that are not modelled", logs::few_of(metrics->unused)));
  }
  facts.next =
      "DCGM reports the utilization of GPUs and links, not the duration of work: measure with "
      "vgsim probe "
      "or "
      "nccl-tests to calibrate";
  return facts;
}

struct Kind {
  std::string_view name;
  bool (*is)(std::string_view text);
  Described (*describe)(const SourcePtr& file);
};

constexpr std::array<Kind, 8> kKinds = {{
    {"nccl-tests", &is_nccl_tests_log, &describe_nccl_tests},
    {"nvbandwidth", &is_nvbandwidth_log, &describe_measurement<&read_nvbandwidth_log>},
    {"p2pBandwidthLatencyTest", &is_p2p_test_log, &describe_measurement<&read_p2p_test_log>},
    {"bandwidthTest", &is_bandwidth_test_log, &describe_measurement<&read_bandwidth_test_log>},
    {"gpu_copy", &is_gpu_copy_log, &describe_measurement<&read_gpu_copy_log>},
    {"perftest", &is_perftest_log, &describe_perftest},
    {"NCCL messages", &is_nccl_messages, &describe_nccl_messages},
    {"DCGM", &is_dcgm_metrics, &describe_dcgm},
}};

/// The first kind determines the suggestion.
void add(LogFacts& facts, LogFacts more, std::string_view kind) {
  if (facts.kind.empty()) {
    facts = std::move(more);
    facts.kind = kind;
    return;
  }
  append(facts.found, std::move(more.found));
  append(facts.skipped, std::move(more.skipped));
  facts.warnings.append(more.warnings);
}

}  // namespace

bool is_benchmark_log(std::string_view text) {
  return std::ranges::any_of(kKinds, [&](const Kind& kind) { return kind.is(text); });
}

/// A job's output often contains several logs in one file: every reader that recognises something
/// reads the file. A reader's error is reported only if no reader succeeded, or as a skipped item.
std::optional<Described> describe_log(const SourcePtr& file) {
  LogFacts facts;
  Diagnostics errors;
  std::vector<std::string> failed;
  for (const Kind& kind : kKinds) {
    if (!kind.is(file->text)) continue;
    auto described = kind.describe(file);
    if (described) {
      add(facts, std::move(*described), kind.name);
    } else {
      const input::Diagnostic first = described.error().items().front();
      errors.append(described.error());
      if (first.code == codes::kNothingInIt.code) continue;
      failed.push_back(fmt::format("{}: {}", kind.name, first.message));
    }
  }
  if (facts.kind.empty()) {
    return errors.empty() ? std::nullopt
                          : std::optional<Described>(tl::unexpected(std::move(errors)));
  }
  append(facts.skipped, std::move(failed));
  return facts;
}

}  // namespace vgsim::calibration
