// The flows of a list as communications of SimGrid: usage: simgrid_flows FLOWS.csv LINKS.csv|- OUT
//
// Links have no latency, since SimGrid would weigh flows by it, and flows begin at `inject_ns`,
// which contains it. One actor starts all flows, which costs SimGrid less than one for each flow.

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "tests/bench/flow_file.hpp"
#include "tests/bench/simgrid/settings.hpp"

namespace {

using vgsim::bench::Flow;
using vgsim::bench::FlowSet;
namespace s4u = simgrid::s4u;

std::vector<s4u::Host*> build_platform(const FlowSet& set) {
  s4u::NetZone* zone = s4u::create_full_zone("flows");
  std::vector<s4u::LinkInRoute> links;
  for (const std::int64_t capacity : set.capacities) {
    s4u::Link* link = zone->create_link("l" + std::to_string(links.size()), double(capacity));
    links.emplace_back(link->set_latency(0)->seal());
  }
  std::vector<s4u::Host*> hosts;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> routes;
  for (const Flow& flow : set.flows) {
    if (flow.cap) throw std::invalid_argument("SimGrid ignores the caps of such communications");
    while (hosts.size() <= std::max(flow.from, flow.to)) {
      hosts.push_back(zone->create_host("h" + std::to_string(hosts.size()), 1e9)->seal());
    }
    const auto [route, is_new] = routes.try_emplace({flow.from, flow.to}, flow.links);
    if (!is_new && route->second == flow.links) continue;
    if (!is_new) throw std::invalid_argument("two routes between the same hosts");
    std::vector<s4u::LinkInRoute> path;
    for (const std::uint32_t link : flow.links) path.push_back(links.at(link));
    zone->add_route(hosts[flow.from]->get_netpoint(), hosts[flow.to]->get_netpoint(), nullptr,
                    nullptr, path, false);
  }
  zone->seal();
  return hosts;
}

void carry(const FlowSet& set, const std::vector<s4u::Host*>& hosts, std::vector<double>& ends) {
  std::vector<std::size_t> order(set.flows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return set.flows[a].inject_ns < set.flows[b].inject_ns;
  });
  std::vector<s4u::CommPtr> communications(order.size());
  for (const std::size_t i : order) {
    const Flow& flow = set.flows[i];
    s4u::this_actor::sleep_until(double(flow.inject_ns) * 1e-9);
    communications[i] = s4u::Comm::sendto_async(hosts.at(flow.from), hosts.at(flow.to),
                                                static_cast<std::uint64_t>(flow.bytes));
  }
  for (std::size_t i = 0; i < communications.size(); ++i) {
    communications[i]->wait();
    ends[i] = communications[i]->get_finish_time();
  }
}

}  // namespace

int main(int argc, char** argv) try {
  s4u::Engine engine(&argc, argv);
  configure();
  if (argc != 4) throw std::invalid_argument("usage: simgrid_flows FLOWS.csv LINKS.csv|- OUT");
  const std::string links = argv[2];
  const FlowSet set = vgsim::bench::read_flow_set(
      argv[1], links == "-" ? std::nullopt : std::optional<std::string>(links));
  const std::vector<s4u::Host*> hosts = build_platform(set);
  std::vector<double> ends(set.flows.size());
  s4u::Actor::create("carrier", hosts.at(0), [&] { carry(set, hosts, ends); });
  engine.run();
  std::ofstream out(argv[3]);
  out << "flow,finish_s\n";
  out.precision(17);
  for (std::size_t i = 0; i < ends.size(); ++i) out << i << ',' << ends[i] << '\n';
  return out.flush() ? 0 : 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "simgrid_flows: %s\n", error.what());
  return 2;
}
