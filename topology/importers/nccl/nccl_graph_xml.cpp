#include "topology/importers/nccl/nccl_graph_xml.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/importers/xml_reader.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

using inventory::ChosenGraph;
using pugi::xml_node;

constexpr XmlLimits kGraphXmlLimits{16u << 20, 8};
constexpr std::int64_t kMaxChannels = 1024;
constexpr std::int64_t kMaxDevice = std::int64_t{1} << 40;  // NETs of several hosts have high bits

constexpr std::array<std::string_view, 12> kPathTypes = {"LOC", "NVL", "NVB", "C2C", "PIX", "PXB",
                                                         "P2C", "PXN", "PHB", "SYS", "NET", "DIS"};

/// Accepts only files that NCCL accepts (NCCL_GRAPH_FILE). A channel lists its GPUs and, at its
/// ends, its networks; all channels of a graph must visit the same GPUs.
class GraphReader {
 public:
  explicit GraphReader(const input::SourcePtr& source) : notes_(source), xml_(notes_) {}

  tl::expected<std::vector<ChosenGraph>, input::Diagnostics> read() {
    const xml_node root = xml_.load(kGraphXmlLimits);
    if (!root) return tl::unexpected(notes_.errors());
    if (std::string_view(root.name()) != "graphs" ||
        xml_.integer(root, "version", 0, 1000).value_or(0) != 1) {
      notes_.error(import_codes::kNotThisFormat, xml_.at(root),
                   fmt::format("the root element is <{}>", root.name()), "<graphs version=\"1\">");
    }
    std::vector<ChosenGraph> graphs;
    for (const xml_node graph : root.children("graph")) graphs.push_back(read_graph(graph));
    if (graphs.empty() && !notes_.failed()) {
      notes_.error(import_codes::kNothingInIt, xml_.at(root), "the file contains no <graph>");
    }
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    return graphs;
  }

 private:
  ChosenGraph read_graph(xml_node node) {
    ChosenGraph graph;
    graph.id = required(node, "id", 0, 15);
    graph.pattern = required(node, "pattern", 1, 6);
    graph.cross_nic = xml_.integer(node, "crossnic", 0, 2).value_or(0);
    graph.speed_intra = xml_.number(node, "speedintra", 0, 1e6).value_or(0);
    graph.speed_inter = xml_.number(node, "speedinter", 0, 1e6).value_or(0);
    graph.latency_inter = xml_.number(node, "latencyinter", 0, 1e6).value_or(0);
    graph.type_intra = path_type(node, "typeintra");
    graph.type_inter = path_type(node, "typeinter");
    graph.same_channels = xml_.integer(node, "samechannels", 0, 1).value_or(0) != 0;
    for (const xml_node channel : node.children("channel")) {
      if (graph.channels.size() == kMaxChannels) {
        notes_.error(import_codes::kTooLarge, xml_.at(channel),
                     fmt::format("more than {} channels", kMaxChannels));
        return graph;
      }
      graph.channels.push_back(read_channel(channel));
    }
    const std::int64_t said = xml_.integer(node, "nchannels", 0, kMaxChannels).value_or(0);
    if (said != static_cast<std::int64_t>(graph.channels.size())) {
      notes_.error(
          import_codes::kBadAttribute, xml_.at(node),
          fmt::format("nchannels is {}, but there are {} <channel>", said, graph.channels.size()));
    }
    check_gpus(node, graph);
    return graph;
  }

  std::vector<ChosenGraph::Step> read_channel(xml_node node) {
    std::vector<ChosenGraph::Step> steps;
    for (const xml_node step : node.children()) {
      const std::string_view name = step.name();
      if (name != "gpu" && name != "net") {
        notes_.error(import_codes::kMisplaced, xml_.at(step),
                     fmt::format("<{}> inside <channel>", name), "<gpu> or <net>");
        continue;
      }
      steps.push_back({name == "net", required(step, "dev", 0, kMaxDevice)});
    }
    return steps;
  }

  /// All channels of a ring or tree visit the same GPUs, each once; channels of the patterns
  /// through switches list only their head.
  void check_gpus(xml_node node, const ChosenGraph& graph) {
    constexpr std::int64_t kRing = 4;
    if (graph.pattern > kRing) return;
    std::vector<std::int64_t> first;
    for (std::size_t c = 0; c < graph.channels.size(); ++c) {
      std::vector<std::int64_t> gpus;
      for (const auto& step : graph.channels[c]) {
        if (!step.is_net) gpus.push_back(step.dev);
      }
      std::ranges::sort(gpus);
      if (c == 0) first = gpus;
      const bool twice = std::adjacent_find(gpus.begin(), gpus.end()) != gpus.end();
      if (gpus == first && !twice && !gpus.empty()) continue;
      notes_.error(import_codes::kBadAttribute, xml_.at(node),
                   fmt::format("channel {} of graph {} does not visit each GPU of the others once",
                               c, graph.id));
      return;
    }
  }

  std::int64_t required(xml_node node, const char* name, std::int64_t min, std::int64_t max) {
    if (!node.attribute(name)) {
      notes_.error(import_codes::kBadAttribute, xml_.at(node),
                   fmt::format("<{}> has no {}", node.name(), name));
    }
    return xml_.integer(node, name, min, max).value_or(min);
  }

  std::string path_type(xml_node node, const char* name) {
    const pugi::xml_attribute attribute = node.attribute(name);
    std::string text = xml_.text(node, name);
    if (text.empty() || std::ranges::find(kPathTypes, text) != kPathTypes.end()) {
      return text;
    }
    notes_.error(import_codes::kBadAttribute, xml_.at(node, attribute),
                 fmt::format("{} of <graph> is \"{}\"", name, text), "a path type such as \"PXB\"");
    return {};
  }

  FileNotes notes_;
  XmlReader xml_;
};

}  // namespace

bool is_nccl_graph_xml(std::string_view text) {
  const std::size_t tag = text.substr(0, 4096).find("<graphs");
  return tag != std::string_view::npos;
}

tl::expected<std::vector<inventory::ChosenGraph>, input::Diagnostics> parse_nccl_graph_xml(
    const input::SourcePtr& source) {
  return GraphReader(source).read();
}

tl::expected<std::vector<inventory::ChosenGraph>, input::Diagnostics> read_chosen_graphs(
    const input::SourcePtr& source) {
  if (is_nccl_graph_xml(source->text)) return parse_nccl_graph_xml(source);
  auto host = inventory::read_topology_file(source);
  if (!host) return tl::unexpected(host.error());
  if (!host->graphs.empty()) return std::move(host->graphs);
  input::Diagnostics diagnostics;
  diagnostics.error(import_codes::kNothingInIt.code, {source, 0, 1}, "/nccl_graphs",
                    "the topology file contains no rings or trees of NCCL",
                    "one that was imported together with a dump of NCCL_GRAPH_DUMP_FILE");
  return tl::unexpected(diagnostics);
}

}  // namespace vgsim::topology
