#include "models/scenario/read/expect_shape.hpp"

#include <string>
#include <vector>

#include "models/training/parallelism.hpp"
#include "topology/graph/device_kinds.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

/// Possible bottlenecks: kinds of links, axes of parallelism, GPUs and the like.
std::vector<std::string> bottleneck_words() {
  using topology::LinkKind;
  using training::Axis;
  // "turns" is the former word for time slices.
  std::vector<std::string> words = {"GPUs", "latency", "time slices", "turns", "other stages"};
  for (const LinkKind kind :
       {LinkKind::kNvLink, LinkKind::kPcie, LinkKind::kSocketLink, LinkKind::kMemoryBus,
        LinkKind::kStorage, LinkKind::kRootPort, LinkKind::kNicPort, LinkKind::kFabric,
        LinkKind::kNicFunction, LinkKind::kCpu}) {
    words.emplace_back(topology::to_string(kind));
  }
  for (const Axis axis : {Axis::kTensor, Axis::kContext, Axis::kData, Axis::kExpert,
                          Axis::kExpertData, Axis::kPipeline, Axis::kShard, Axis::kReplica}) {
    words.emplace_back(training::to_string(axis));
  }
  return words;
}

Shape value_shape() { return any_of_shape({number_shape(), name_shape()}); }

/// One shape for both: a wrong word is then reported as such, not as the wrong kind of object.
Shape figure_or_bottleneck_shape() {
  return object_shape({
      field("value", value_shape())
          .describe("expected value of a figure, with its unit, or as a number in the unit of "
                    "its name")
          .examples({"268 ms"}),
      field("tolerance", value_shape())
          .describe("allowed deviation from \"value\": a share or a quantity")
          .default_text("1 %")
          .examples({"2 %"}),
      field("min", value_shape()).describe("lower limit of a figure").examples({"40 GB/s"}),
      field("max", value_shape()).describe("upper limit of a figure").examples({"300 ms"}),
      field("is", enum_shape(bottleneck_words()))
          .describe("expected bottleneck: GPUs or a kind of link"),
      field("is_not", enum_shape(bottleneck_words())).describe("not the bottleneck"),
  });
}

}  // namespace

Shape expect_shape() {
  const Shape expectation = any_of_shape({
      figure_or_bottleneck_shape(),
      boolean_shape().describe("refused: whether vSphere refuses the layout"),
      array_shape(name_shape(), 1, 1000)
          .describe("refused_by, warns, does_not_warn: ids of rules (vgsim explain); "
                    "faster_than: layouts"),
      name_shape().describe("faster_than: another layout"),
  });
  const Shape of_layout = map_shape(
      "a figure of the result, such as iteration_time_s or busbw_GBps@1 GiB; or bottleneck, "
      "refused, refused_by, warns, does_not_warn, faster_than",
      expectation, 1, 1000);
  return map_shape("name of a layout, or a pattern such as *", of_layout, 1, 100)
      .describe("expected results of the layouts");
}

}  // namespace vgsim::scenario
