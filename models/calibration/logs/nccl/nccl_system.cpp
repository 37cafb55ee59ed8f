#include "models/calibration/logs/nccl/nccl_system.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_line.hpp"
#include "models/calibration/logs/nccl/nccl_phrases.hpp"
#include "models/calibration/logs/nccl/nccl_surroundings.hpp"
#include "models/calibration/logs/nccl/nccl_tree_host.hpp"
#include "topology/importers/file_notes.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::calibration {
namespace {

using logs::NcclTree;
using topology::inventory::Inventory;

struct LoggedHost {
  logs::NcclHostFacts facts;
  std::vector<NcclTree> trees;
};

/// Collects trees and other facts by host. Ranks write to one stream; the lines of a tree are those
/// of one thread, with no other message of the thread between them.
class LogReader {
 public:
  void read(std::string_view text) {
    topology::Lines lines(text);
    while (const auto line = lines.next()) read_line(*line);
  }

  std::vector<std::pair<std::string, LoggedHost>> hosts;

 private:
  /// The host of a thread and its tree if one is open.
  struct Thread {
    std::size_t host = 0;
    std::optional<std::size_t> tree;
  };

  void read_line(topology::TextSpan line) {
    const auto message = logs::nccl_line_in(line.text);
    if (!message) return read_bare(line);
    Thread& thread = thread_of(message->thread);
    const auto offset =
        line.offset + static_cast<std::size_t>(message->text.data() - line.text.data());
    read_message(thread, {message->text, offset}, message->indent);
  }

  /// A line of a log from which the names of threads were removed, and "NCCL INFO" perhaps.
  void read_bare(topology::TextSpan line) {
    constexpr std::string_view kLevel = "NCCL INFO ";
    if (topology::trimmed(line).text.starts_with(kLevel)) {
      const std::size_t begin = line.text.find(kLevel) + kLevel.size();
      line = {line.text.substr(begin), line.offset + begin};
    }
    const topology::TextSpan text = topology::trimmed(line);
    const auto bare = threads_.find("");
    const bool is_open = bare != threads_.end() && bare->second.tree;
    if (!logs::begins_nccl_tree(text.text) && !is_open) return;
    read_message(thread_of(""), text, text.offset - line.offset);
  }

  Thread& thread_of(std::string_view name) {
    const auto known = threads_.find(name);
    if (known != threads_.end()) return known->second;
    const std::string host = logs::printable_text(logs::host_in(name));
    const auto same = std::ranges::find(hosts, host, [](const auto& each) { return each.first; });
    const auto index = static_cast<std::size_t>(same - hosts.begin());
    if (same == hosts.end()) hosts.emplace_back(host, LoggedHost());
    return threads_.emplace(name, Thread{index, std::nullopt}).first->second;
  }

  void read_message(Thread& thread, topology::TextSpan text, std::size_t indent) {
    LoggedHost& host = hosts[thread.host].second;
    if (logs::begins_nccl_tree(text.text)) {
      if (thread.tree) host.trees[*thread.tree].is_closed = true;
      thread.tree = host.trees.size();
      host.trees.emplace_back().first_line = text;
    } else if (!thread.tree) {
      read_facts(host.facts, text.text);
    } else if (logs::is_of_nccl_tree(text.text)) {
      host.trees[*thread.tree].add(text, indent);
    } else {
      host.trees[*thread.tree].is_closed = true;
      thread.tree.reset();
      read_facts(host.facts, text.text);
    }
  }

  static void read_facts(logs::NcclHostFacts& host, std::string_view text) {
    constexpr std::string_view kDirect = "NET/IB : GPU Direct RDMA ";
    if (text.starts_with(kDirect)) {
      const auto words = logs::split(text.substr(kDirect.size()));
      if (words.empty() || words.back().size() < 3 || words.back().front() != '\'') return;
      const std::string_view name = words.back().substr(1, words.back().size() - 2);
      host.gdr.emplace(logs::printable_text(name), words.front() == "Enabled");
      return;
    }
    if (host.nics.empty()) {
      for (const NcclNic& nic : logs::nics_in(text)) host.nics.push_back(nic.name);
    }
    const auto comm = logs::comm_in(text);
    if (!comm || comm->rank.bus_id.empty()) return;
    const std::size_t at = text.find(" nvmlDev ");
    if (at == text.npos) return;
    const auto number = logs::number_in(logs::split(text.substr(at)).at(1), 65535);
    if (number) host.gpu_numbers.emplace(comm->rank.bus_id, static_cast<std::int64_t>(*number));
  }

  std::map<std::string, Thread, std::less<>> threads_;
};

using Systems = tl::expected<std::vector<Inventory>, input::Diagnostics>;

/// The largest tree that can be read; if none, the errors of the first.
Systems largest_system(const input::SourcePtr& file, const LoggedHost& host) {
  std::optional<Systems> best;
  std::size_t best_size = 0;
  for (const NcclTree& tree : host.trees) {
    const bool is_better = !best || !*best || tree.branches.size() > best_size;
    if (!is_better) continue;
    Systems read = logs::hosts_of(file, tree, host.facts);
    if (!read && best) continue;
    best = std::move(read);
    best_size = tree.branches.size();
  }
  return std::move(*best);
}

}  // namespace

bool has_nccl_system(std::string_view text) { return logs::contains(text, "=== System : max"); }

/// A name is garbled if lines were mixed: it then ends like that of a host whose tree can be read,
/// or that name ends like it. Errors of such a host are dropped.
tl::expected<std::vector<Inventory>, input::Diagnostics> read_nccl_systems(
    const input::SourcePtr& file) {
  LogReader reader;
  reader.read(file->text);
  std::vector<Inventory> hosts;
  std::vector<std::pair<std::string, input::Diagnostics>> failed;
  for (const auto& [name, logged] : reader.hosts) {
    if (logged.trees.empty()) continue;
    Systems systems = largest_system(file, logged);
    if (!systems) {
      failed.emplace_back(name, std::move(systems.error()));
      continue;
    }
    if (systems->size() > 1) return systems;  // all hosts, in the tree of each
    Inventory& host = systems->front();
    if (!name.empty()) host.name = {name, file->path};
    hosts.push_back(std::move(host));
  }
  input::Diagnostics errors;
  for (const auto& [name, of_host] : failed) {
    const bool is_garbled = std::ranges::any_of(hosts, [&, &bad = name](const Inventory& host) {
      return host.name && (host.name->value.ends_with(bad) || bad.ends_with(host.name->value));
    });
    if (!is_garbled) errors.append(of_host);
  }
  if (errors.has_errors()) return tl::unexpected(std::move(errors));
  if (!hosts.empty()) return hosts;
  return topology::file_error(topology::import_codes::kNothingInIt, file,
                              "the file contains no system tree of NCCL",
                              "a run with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=GRAPH");
}

}  // namespace vgsim::calibration
