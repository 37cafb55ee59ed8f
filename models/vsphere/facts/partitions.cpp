#include "models/vsphere/facts/partitions.hpp"

#include "models/vsphere/facts/read_checked.hpp"
#include "models/vsphere/facts/versions.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

Shape groups_shape() { return array_shape(array_shape(count_shape(1, 16), 2, 16), 1, 16); }

std::vector<std::int64_t> counts(const Value& array) {
  std::vector<std::int64_t> result;
  for (const Value& element : array.elements()) result.push_back(as_count(element));
  return result;
}

}  // namespace

const BoardPartitions* Partitions::of(std::string_view gpu, std::size_t gpus) const {
  const auto found = board_of_gpu_.find(gpu);
  if (found == board_of_gpu_.end()) return nullptr;
  const BoardPartitions& board = boards_[found->second];
  return board.module_of_gpu.size() == gpus ? &board : nullptr;
}

Shape Partitions::shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-partitions/1"})).required(),
      field("sources", citations_shape()).required(),
      field("boards",
            map_shape("NVSwitch board",
                      object_shape({
                          field("gpus", array_shape(name_shape(), 1))
                              .required()
                              .describe("GPUs of the catalogue that the board carries"),
                          field("modules", count_shape(2, 16)).required(),
                          field("halves", groups_shape()).required(),
                          field("pairs", groups_shape()).required(),
                          field("module_of_gpu", array_shape(count_shape(1, 16), 2, 16))
                              .required()
                              .describe("module ids of the GPUs in PCIe order"),
                          field("vgpu_since", enum_shape(Versions::words()))
                              .required()
                              .describe("first version of vSphere with vGPU groups on it"),
                          field("vgpu_source", name_shape()).required(),
                          field("fabric_manager", string_shape())
                              .describe("first release of the vGPU software whose Fabric "
                                        "Manager runs on ESXi for it"),
                          field("source", name_shape()).required(),
                          field("note", string_shape()),
                      })))
          .required(),
  });
}

tl::expected<Partitions, Diagnostics> Partitions::read(const SourcePtr& file) {
  const auto document = read_checked(file, shape);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  const Citations citations(*find(*document, "sources"));
  Partitions partitions;
  for (const auto& [name, key, value] : find(*document, "boards")->members()) {
    static_cast<void>(citations.of(*find(value, "source"), diagnostics));
    static_cast<void>(citations.of(*find(value, "vgpu_source"), diagnostics));
    BoardPartitions board{name,
                          {},
                          counts(*find(value, "module_of_gpu")),
                          as_string(*find(value, "vgpu_since")),
                          std::nullopt};
    if (const auto manager = find(value, "fabric_manager")) {
      board.fabric_manager = parse_driver_release(as_string(*manager));
    }
    std::vector<std::int64_t> all;
    for (std::int64_t m = 1; m <= as_count(*find(value, "modules")); ++m) all.push_back(m);
    board.groups.push_back(all);
    for (const char* size : {"halves", "pairs"}) {
      for (const Value& group : find(value, size)->elements()) {
        board.groups.push_back(counts(group));
      }
    }
    for (const std::int64_t module : all) board.groups.push_back({module});
    for (const Value& gpu : find(value, "gpus")->elements()) {
      partitions.board_of_gpu_.emplace(as_string(gpu), partitions.boards_.size());
    }
    partitions.boards_.push_back(std::move(board));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return partitions;
}

}  // namespace vgsim::vsphere
