#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>

#include "topology/graph/graph.hpp"

namespace vgsim::topology {

/// The vertices and edges of a Topology as a Boost.Graph. Compiles slowly: include it only in .cpp
/// files that search the graph; other code uses Topology.
struct DeviceGraph {
  struct EdgeIndex {
    std::uint32_t index = 0;  ///< Edge::index
  };
  using Adjacency = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                          boost::no_property, EdgeIndex>;

  Adjacency adjacency;
};

}  // namespace vgsim::topology
