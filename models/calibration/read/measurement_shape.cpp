#include "models/calibration/read/measurement_file.hpp"

namespace vgsim::calibration {

using namespace input;

namespace {

Shape place_shape() {
  return pattern_string("a place such as \"gpu0\", \"pinned\" or \"pageable.numa1\"",
                        "^(gpu[0-9]+|(pinned|pageable)(\\.numa[0-9]+)?)$",
                        [](std::string_view text) -> std::optional<std::string> {
                          if (place_of(std::string(text))) return std::nullopt;
                          return "expected \"gpu0\", \"pinned\" or \"pageable.numa1\"";
                        });
}

Field what(const char* word) { return field("what", enum_shape({word})).required(); }
Field gpu() { return field("gpu", count_shape(0, 1023)).required().describe("index of the GPU"); }
Field size() { return field("size", bytes_shape(Bytes{1})).required(); }
Field precision() {
  return field("precision", enum_shape({"fp32", "tf32", "fp16", "bf16", "fp8"})).required();
}

Field time() {
  return field("time",
               object_shape({
                   field("median", time_shape(SimTime{1})).required(),
                   field("low", time_shape())
                       .describe("90 % of the samples are slower"
                                 " than this or faster than high"),
                   field("high", time_shape()),
                   field("samples", count_shape(0)).describe("0: the tool reports a single number"),
                   field("repeats", count_shape(1)).describe("of the work in a sample"),
                   field("steady", boolean_shape())
                       .describe("false: samples were still drifting at the time limit"),
               }))
      .required()
      .describe("of one repeat");
}

std::vector<Shape> work_shapes() {
  const Shape dimension = count_shape(1, 1 << 24);
  return {
      object_shape({what("copy"),
                    field("routes", array_shape(array_shape(place_shape(), 2, 2), 1, 4096))
                        .required()
                        .describe("[from, to] of copies that run at the same time"),
                    size().describe("of each copy"), field("by_kernel", boolean_shape()),
                    field("peer_access", boolean_shape()), time()}),
      object_shape(
          {what("memory"), gpu(), size().describe("read, and the same amount written"), time()}),
      object_shape({what("product"), gpu(), precision(), field("m", dimension).required(),
                    field("n", dimension).required(), field("k", dimension).required(), time()}),
      object_shape({what("launch"), gpu(),
                    field("waits", boolean_shape()).describe("for the end of each kernel"),
                    time()}),
      object_shape({what("training_step"), gpu(),
                    field("network", enum_shape({"transformer", "cnn"})).required(), precision(),
                    field("batch", count_shape(1, 1'000'000)).required(), time()}),
      object_shape(
          {what("collective"),
           field("collective", enum_shape({"all_reduce", "all_gather", "reduce_scatter",
                                           "broadcast", "reduce", "all_to_all", "send_recv"}))
               .required(),
           field("gpus", array_shape(count_shape(0, 1'000'000), 1)).required(),
           field("machines", count_shape(1)).default_text("1"), size(),
           field("algorithm", name_shape()).describe("set for NCCL"),
           field("protocol", name_shape()).describe("set for NCCL"), time()}),
  };
}

Shape gpu_shape() {
  return object_shape({
      field("name", string_shape()).required(),
      field("pci_address", string_shape()),
      field("compute_capability", string_shape()),
      field("memory", bytes_shape()),
      field("multiprocessors", count_shape()),
      field("clock_mhz", count_shape()).describe("the highest"),
      field("memory_clock_mhz", count_shape()).describe("the highest"),
      field("numa_node", count_shape()),
      field("virtualization", string_shape()),
      field("mig", string_shape()),
  });
}

Shape machine_shape() {
  return object_shape({
      field("gpus", array_shape(gpu_shape(), 0, 1024)).required(),
      field("driver", string_shape()),
      field("cuda", string_shape()).describe("highest version that the driver supports"),
      field("nccl", string_shape()),
      field("processor", string_shape()),
      field("hypervisor", string_shape()),
      field("topology_matrix", string_shape()).describe("output of `nvidia-smi topo -m`"),
      field("nccl_topology", string_shape()).describe("XML that NCCL dumps"),
  });
}

}  // namespace

Shape measurement_shape() {
  return object_shape({
      field("format", enum_shape({kMeasurementFormat})).required(),
      field("name", name_shape()).required(),
      field("date", string_shape()),
      field("tool", string_shape()).required().examples({"vgsim probe 0.1.0"}),
      field("machine", machine_shape()).required(),
      field("results", array_shape(any_of_shape(work_shapes()))).required(),
      field("left_out", array_shape(object_shape({field("what", string_shape()).required(),
                                                  field("why", string_shape()).required()}))),
  });
}

}  // namespace vgsim::calibration
