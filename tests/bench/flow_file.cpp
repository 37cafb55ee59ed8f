#include "tests/bench/flow_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace vgsim::bench {
namespace {

constexpr const char* kFlowHeading =
    "flow,src,dst,bytes,start_ns,inject_ns,rate_cap_Bps,links,finish_s";
constexpr const char* kLinkHeading = "link,bytes_per_s";

using Row = std::vector<std::string>;

Row cells_of(const std::string& line) {
  Row row;
  std::size_t begin = 0;
  for (std::size_t comma = 0; (comma = line.find(',', begin)) != std::string::npos;
       begin = comma + 1) {
    row.push_back(line.substr(begin, comma - begin));
  }
  row.push_back(line.substr(begin));
  return row;
}

void read_rows(const std::string& name, const std::string& heading,
               const std::function<void(const Row&)>& take) {
  std::ifstream file(name);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error(name + ": cannot be read");
  if (line != heading) throw std::runtime_error(name + ":1: expected " + heading);
  const std::size_t columns = cells_of(heading).size();
  for (int number = 2; std::getline(file, line); ++number) {
    try {
      const Row row = cells_of(line);
      if (row.size() != columns) throw std::invalid_argument("wrong number of cells");
      take(row);
    } catch (const std::logic_error& error) {
      throw std::runtime_error(fmt::format("{}:{}: {}", name, number, error.what()));
    }
  }
}

Flow flow_of(const Row& row) {
  Flow flow;
  flow.from = static_cast<std::uint32_t>(std::stoul(row[1]));
  flow.to = static_cast<std::uint32_t>(std::stoul(row[2]));
  flow.bytes = std::stoll(row[3]);
  flow.start_ns = std::stoll(row[4]);
  flow.inject_ns = std::stoll(row[5]);
  if (!row[6].empty()) flow.cap = std::stoll(row[6]);
  std::istringstream links(row[7]);
  for (std::uint32_t link = 0; links >> link;) flow.links.push_back(link);
  if (!row[8].empty()) flow.finish_s = std::stod(row[8]);
  return flow;
}

}  // namespace

FlowSet read_flow_set(const std::string& flows_file, const std::optional<std::string>& links_file) {
  FlowSet set;
  std::size_t links = 0;
  read_rows(flows_file, kFlowHeading, [&](const Row& row) {
    const Flow& flow = set.flows.emplace_back(flow_of(row));
    for (const std::uint32_t link : flow.links) links = std::max<std::size_t>(links, link + 1);
  });
  if (links_file) {
    read_rows(*links_file, kLinkHeading,
              [&](const Row& row) { set.capacities.push_back(std::stoll(row[1])); });
  } else {
    set.capacities.assign(links, kLinkBytesPerSecond);
  }
  if (set.capacities.size() < links) throw std::runtime_error(*links_file + ": links are missing");
  return set;
}

void write_flows(std::ostream& out, const FlowSet& set) {
  out << kFlowHeading << '\n';
  for (std::size_t i = 0; i < set.flows.size(); ++i) {
    const Flow& flow = set.flows[i];
    out << fmt::format("{},{},{},{},{},{},{},{},{}\n", i, flow.from, flow.to, flow.bytes,
                       flow.start_ns, flow.inject_ns, flow.cap ? fmt::to_string(*flow.cap) : "",
                       fmt::join(flow.links, " "),
                       flow.finish_s ? fmt::format("{:.17g}", *flow.finish_s) : "");
  }
}

}  // namespace vgsim::bench
