#include "models/collectives/nccl/read/releases.hpp"
#include "topology/catalog/catalog_shapes.hpp"

namespace vgsim::collectives::nccl {
namespace {

using namespace input;

Field must(const char* name, const Shape& shape, const char* meaning = "") {
  return field(name, shape).required().describe(meaning);
}

Field may(const char* name, const Shape& shape, const char* meaning = "") {
  return field(name, shape).describe(meaning);
}

Shape positive() { return number_shape(0.0); }

Shape speeds() { return array_shape(number_shape(0.01, 10'000), 1, 100).describe("fastest first"); }

Shape links_shape() {
  const Shape gpu = positive();
  return object_shape({
      must("unit", enum_shape({"GB/s"})),
      must("local", positive(), "inside a device, and between devices without a limit"),
      must("nvlink",
           object_shape({may("sm60", gpu), may("sm70", gpu), may("sm80", gpu), may("sm86", gpu),
                         may("sm90", gpu), may("sm100", gpu), may("sm107", gpu), must("other", gpu)}),
           "one NVLink, by the GPU's compute capability"),
      must("intel",
           object_shape({must("up_to_broadwell", positive()),
                         must("skylake_to_ice_lake", positive()),
                         may("sapphire_rapids", positive()),
                         may("granite_rapids", positive(),
                             "and Sierra Forest; without it they count as Sapphire Rapids"),
                         may("emerald_rapids", positive())}),
           "between Intel sockets; newer ones count as the last one listed"),
      must("amd", positive(), "between AMD sockets"),
      may("amd_zen3_4", positive(), "instead, of Milan and Genoa"),
      may("amd_zen5", positive(), "instead, of Turin; without it as amd_zen3_4"),
      must("zhaoxin", object_shape({must("yongfeng", positive()), must("other", positive())})),
      must("power9", positive()),
      must("arm", positive()),
      must("nic_of_unknown_speed", positive()),
  });
}

Shape search_shape() {
  const Shape steps = count_shape(1, std::int64_t{1} << 40);
  return object_shape({
      must("speeds",
           object_shape({must("unit", enum_shape({"GB/s"})), must("intra", speeds()),
                         must("inter", speeds()), may("intra_sm90", speeds()),
                         may("inter_sm90", speeds()), may("intra_sm100", speeds()),
                         may("inter_sm100", speeds())}),
           "bandwidths of a channel that the search tries, inside and between nodes"),
      must("steps",
           object_shape({must("search", steps), must("same_channels", steps), must("trees", steps),
                         must("total", steps)}),
           "number of steps after which a search stops with its best result"),
      must("max_channels", count_shape(1, 1024)),
  });
}

Shape latency_table() {
  const Shape row =
      object_shape({may("LL", positive()), may("LL128", positive()), may("Simple", positive())});
  std::vector<Field> rows;
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    rows.push_back(field(to_string(static_cast<Algorithm>(a)), row));
  }
  return object_shape(std::move(rows)).describe("missing values are 0");
}

Shape latencies_shape() {
  return object_shape({
      must("unit", enum_shape({"us"})),
      must("base", latency_table(), "of one call"),
      must("step",
           object_shape({must("nvlink", latency_table()), must("pci", latency_table()),
                         must("net", latency_table())}),
           "of one step, by its link"),
      may("network_overhead",
          object_shape({must("amd", positive()), must("other", positive()),
                        must("simple_times", positive())}),
          "minimum time of a step inside a node that also waits for the network, by CPU vendor"),
      must("collnetdirect_per_peer", positive()),
      may("pat", object_shape({must("per_rank", positive()),
                               must("network_divisor", number_shape(0.1, 1000))})),
  });
}

Shape generations(bool all_optional) {
  const Shape row = array_shape(positive(), 3, 3).describe("on one, two, and more NCCL nodes");
  std::vector<Field> fields;
  for (const std::string_view word : topology::kGpuGenerationWords) {
    const Field each = field(std::string(word), row);
    fields.push_back(fields.empty() && !all_optional ? each.required() : each);
  }
  return object_shape(std::move(fields))
      .describe("by GPU generation; a missing one has the row of the previous one");
}

Shape caps_shape() {
  return object_shape({
      must("unit", enum_shape({"GB/s"})),
      must("ll", generations(false),
           "LL; on several nodes the row ampere holds for AMD CPUs, the row volta for others"),
      must("tree_per_channel", generations(false)),
      must("ring_ll128_per_channel", generations(false)),
      must("tree_ll128_per_channel", generations(false)),
      may("nvlstree", generations(true)),
      may("ampere_bus", positive(), "every algorithm on compute capability 8.0"),
  });
}

Shape factors_shape() {
  return object_shape({
      must("ring_ll", positive()),
      may("ring_ll_inside_one_node", positive(),
          "instead, for AllGather, ReduceScatter and Broadcast"),
      must("ring_ll128", positive()),
      may("ring_ll128_one_gpu_nodes", positive(), "instead, if each node has one GPU"),
      must("tree", positive()),
      must("tree_ll", positive()),
      must("tree_ll128", positive()),
      must("tree_ll128_one_node", positive()),
      may("tree_chain", positive(), "trees that are one chain inside a node"),
      may("collnetchain", positive()),
      may("collnetdirect_sm90", positive()),
      may("nvls", positive(), "algorithm bandwidth for each unit of bus bandwidth"),
      may("nvlstree", positive(), "the same; times N / (2 (N - 1)) on N nodes"),
      may("nvls_efficiency",
          object_shape({may("hopper", positive()), may("blackwell", positive())})),
      may("pat", positive()),
      must("ring_plateau",
           object_shape({must("below_sm80", positive()), must("from_sm80", positive())}),
           "on the latency of a large Simple ring over the network"),
      may("ll_inside_nodes", positive(), "on LL's latency inside a node, if there are several"),
  });
}

Shape by_protocol(const Shape& value, const std::vector<Field>& others = {}) {
  std::vector<Field> fields = {must("LL", value), must("LL128", value), must("Simple", value)};
  fields.insert(fields.end(), others.begin(), others.end());
  return object_shape(std::move(fields));
}

Shape work_shape() {
  const Shape threads = count_shape(32, 1024);
  const Shape bytes = count_shape(1, 1 << 20);
  const Shape buffer = bytes_shape(Bytes{1024}, Bytes{1 << 30});
  return object_shape({
      must("slots", count_shape(1, 64), "of the buffer of a connection"),
      must("buffers", by_protocol(buffer), "of a connection"),
      must("ring_simple", object_shape({must("slots_per_chunk", count_shape(1, 64)),
                                        must("slots_per_slice", count_shape(1, 64))})),
      must("nvls_chunk", buffer, "most data of one step of NVLS"),
      must("threads",
           by_protocol(threads, {must("Simple_on_slow_rings", threads),
                                 must("all", threads, "of algorithms that always use all")})),
      must("slow_ring", rate_shape(BytesPerSecond{1}),
           "bandwidth of all channels inside a node up to which a ring is slow"),
      must("bytes_per_thread", by_protocol(bytes, {must("CollNet", bytes)}),
           "below it, fewer threads are used; LL on a ring counts it once for each rank"),
      may("least_traffic_per_channel", buffer,
          "bytes sent per channel below which fewer threads are used; without it the number is "
          "constant"),
  });
}

}  // namespace

Shape release_values_shape() {
  std::vector<std::string> algorithms;
  for (std::size_t a = 0; a < kAlgorithms; ++a) {
    algorithms.emplace_back(to_string(static_cast<Algorithm>(a)));
  }
  const Shape corrections =
      array_shape(number_shape(0.01, 1), 1, 64).describe("by log2(bytes / 64)");
  return object_shape({
      must("algorithms", array_shape(enum_shape(algorithms), 1, kAlgorithms)),
      must("links", links_shape(), "bandwidths as the search counts them, per direction"),
      must("search", search_shape()),
      must("latencies", latencies_shape()),
      must("bandwidth_caps", caps_shape()),
      must("bandwidth_factors", factors_shape()),
      must("tree_correction",
           object_shape({must("LL", corrections), must("LL128", corrections),
                         must("Simple", corrections),
                         may("nvlstree", corrections,
                             "NVLSTree, from compute capability 10.0 on x86 hosts")}),
           "share of a tree's bandwidth at a size"),
      must("work", work_shape(), "the division of a collective into work"),
  });
}

namespace {

Shape version_shape() {
  return pattern_string("a release such as \"2.30.7\"",
                        "^(0|[1-9][0-9]{0,2})\\.(0|[1-9][0-9]{0,2})\\.(0|[1-9][0-9]{0,2})$",
                        [](std::string_view text) -> std::optional<std::string> {
                          const auto version = parse_version(text);
                          if (version && to_string(*version) == text) return std::nullopt;
                          return "three numbers with points between them, such as \"2.30.7\"";
                        });
}

}  // namespace

Shape releases_shape() {
  const Shape release = object_shape({
      may("note", string_shape(), "what changed"),
      may("since", version_shape(), "first release with these values, if known"),
      must("source", name_shape(), "key of the file's sources"),
      must("values", patch_of(release_values_shape()),
           "merge patch over the previous release; the first is complete"),
  });
  return object_shape({
      must("sources", topology::sources_shape()),
      must("releases", map_shape(version_shape(), release, 1, 1000), "oldest first"),
  });
}

}  // namespace vgsim::collectives::nccl
