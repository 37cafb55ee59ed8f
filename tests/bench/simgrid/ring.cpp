// A ring AllReduce, message by message: usage: simgrid_ring HOSTS BYTES
//
// One actor sends the messages of a step and waits for all of them: the faster of the two usual
// ways to write this (the other has an actor for each host), with the same times.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "tests/bench/flow_set.hpp"
#include "tests/bench/simgrid/settings.hpp"

namespace {

namespace s4u = simgrid::s4u;

s4u::LinkInRoute make_link(s4u::NetZone* zone, const std::string& name) {
  s4u::Link* link = zone->create_link(name, double(vgsim::bench::kLinkBytesPerSecond));
  return s4u::LinkInRoute(link->set_latency(vgsim::bench::kLinkLatencyNs * 1e-9)->seal());
}

std::vector<s4u::Host*> build_platform(std::size_t count) {
  s4u::NetZone* zone = s4u::create_full_zone("ring");
  std::vector<s4u::Host*> hosts;
  std::vector<s4u::LinkInRoute> up;
  std::vector<s4u::LinkInRoute> down;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = std::to_string(i);
    hosts.push_back(zone->create_host("h" + name, 1e9)->seal());
    up.push_back(make_link(zone, "up" + name));
    down.push_back(make_link(zone, "down" + name));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t next = (i + 1) % count;
    zone->add_route(hosts[i]->get_netpoint(), hosts[next]->get_netpoint(), nullptr, nullptr,
                    {up[i], down[next]}, false);
  }
  zone->seal();
  return hosts;
}

void all_reduce(const std::vector<s4u::Host*>& hosts, std::uint64_t chunk) {
  std::vector<s4u::CommPtr> step(hosts.size());
  for (std::size_t steps = 2 * (hosts.size() - 1); steps > 0; --steps) {
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      step[i] = s4u::Comm::sendto_async(hosts[i], hosts[(i + 1) % hosts.size()], chunk);
    }
    for (const s4u::CommPtr& message : step) message->wait();
  }
}

}  // namespace

int main(int argc, char** argv) try {
  s4u::Engine engine(&argc, argv);
  configure();
  if (argc != 3) throw std::invalid_argument("usage: simgrid_ring HOSTS BYTES");
  const std::size_t count = std::strtoul(argv[1], nullptr, 10);
  const std::uint64_t bytes = std::strtoull(argv[2], nullptr, 10);
  const std::vector<s4u::Host*> hosts = build_platform(count);
  s4u::Actor::create("ring", hosts.at(0), [&] { all_reduce(hosts, bytes / count); });
  engine.run();
  std::printf("makespan_s %.17g\n", s4u::Engine::get_clock());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "simgrid_ring: %s\n", error.what());
  return 2;
}
