#include "models/vsphere/facts/profiles.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/vsphere/facts/read_checked.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "topology/graph/gpu_generation.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

std::vector<std::string> architectures() {
  std::vector<std::string> words;
  for (const auto& each : topology::kGpuArchitectures) words.emplace_back(each.word);
  return words;
}

Shape time_sliced_shape() {
  return map_shape(
      "profile, as ESXi names it",
      object_shape({
          field("framebuffer", bytes_shape(Bytes{1})).required(),
          field("per_gpu", count_shape(1, 128))
              .required()
              .describe("number of vGPUs of this size on one GPU"),
          field("series", enum_shape({"c", "q", "b", "a"}))
              .describe("c: compute; q: workstations; b: desktops; a: applications")
              .default_text("c"),
          field("source", name_shape()).describe("if it differs from that of the board"),
          field("mixed_per_gpu", count_shape(1, 128)).describe("number in mixed-size mode"),
          field("placements", array_shape(count_shape(0, 1024)))
              .describe("placement ids in mixed-size mode: GB of framebuffer where "
                        "the profile may begin"),
      }));
}

Shape mig_shape() {
  return map_shape("MIG-backed profile, as ESXi names it",
                   object_shape({
                       field("framebuffer", bytes_shape(Bytes{1})).required(),
                       field("compute_slices", count_shape(1, 8)).required(),
                       field("memory_slices", count_shape(1, 8)).required(),
                       field("per_gpu", count_shape(1, 128)).required(),
                       field("starts", array_shape(count_shape(0, 7)))
                           .describe("memory slices where an instance may begin"),
                       field("vgpus_per_instance", count_shape(1, 64))
                           .describe("number of time-sliced vGPUs on one instance")
                           .default_text("1"),
                       field("media_engines", boolean_shape())
                           .describe("whether it has all of the GPU's media engines"),
                   }));
}

/// By a number of slices, which is one digit.
Shape by_slices_shape() {
  std::vector<Field> fields;
  for (char digit = '1'; digit <= '9'; ++digit) {
    fields.push_back(field(std::string(1, digit), count_shape(1, 1024)));
  }
  return object_shape(std::move(fields));
}

Shape multiprocessors_shape() {
  return object_shape({
      field("gpu", count_shape(1, 1024)).required().describe("of the GPU without MIG"),
      field("by_slices", by_slices_shape().describe("compute slices of a MIG instance"))
          .required()
          .describe("of an instance"),
      field("source", name_shape()).required(),
  });
}

Shape support_shape() {
  return object_shape({
      field("from", string_shape()).describe("first release of the vGPU software that supports it"),
      field("to", string_shape()).describe("the last release that supports it"),
      field("vsphere", enum_shape(Versions::words())).describe("first version of vSphere"),
      field("source", name_shape()).required(),
      field("note", string_shape()),
  });
}

std::optional<std::string> text_of(const Value& object, const char* name) {
  const auto found = find(object, name);
  return found ? std::optional(as_string(*found)) : std::nullopt;
}

VgpuSupport read_support(const Value& board, const Citations& citations, Diagnostics& diagnostics) {
  const auto found = find(board, "vgpu");
  if (!found) return {};
  static_cast<void>(citations.of(*find(*found, "source"), diagnostics));
  const auto release = [&](const char* name) -> std::optional<DriverRelease> {
    const auto text = text_of(*found, name);
    return text ? parse_driver_release(*text) : std::nullopt;
  };
  return {release("from"), release("to"), text_of(*found, "vsphere")};
}

/// Of GPUs whose BAR1 is not known otherwise: all of the memory, rounded up to a power of two.
Bytes bar1_for(Bytes memory) {
  std::int64_t gib = 1;
  while (gib * 1'000'000'000 < memory.count()) gib *= 2;
  return Bytes{gib << 30};
}

std::vector<std::int64_t> counts(const Value& object, const char* key) {
  std::vector<std::int64_t> result;
  if (const auto array = find(object, key)) {
    for (const Value& element : array->elements()) result.push_back(as_count(element));
  }
  return result;
}

Profile read_profile(const Member& member, const std::string& board, bool mig) {
  const Value& value = member.value;
  Profile profile;
  profile.name = member.name;
  profile.board = board;
  profile.mig = mig;
  profile.framebuffer = as_bytes(*find(value, "framebuffer"));
  profile.per_gpu = as_count(*find(value, "per_gpu"));
  if (mig) {
    profile.compute_slices = as_count(*find(value, "compute_slices"));
    profile.memory_slices = as_count(*find(value, "memory_slices"));
    profile.starts = counts(value, "starts");
    const auto media = find(value, "media_engines");
    profile.media_engines = media && as_bool(*media);
    if (const auto shared = find(value, "vgpus_per_instance")) {
      profile.vgpus_per_instance = as_count(*shared);
    }
    return profile;
  }
  if (const auto series = find(value, "series")) profile.series = as_string(*series).front();
  if (const auto mixed = find(value, "mixed_per_gpu")) profile.mixed_per_gpu = as_count(*mixed);
  profile.placements = counts(value, "placements");
  return profile;
}

/// Whether GPUs of an architecture have that CUDA compute capability, times ten, or more.
bool has_capability(std::string_view architecture, int least) {
  return std::any_of(topology::kGpuArchitectures.begin(), topology::kGpuArchitectures.end(),
                     [&](const topology::GpuArchitecture& each) {
                       return each.word == architecture && each.capability >= least;
                     });
}

}  // namespace

bool Board::has_mig() const {
  return std::any_of(profiles.begin(), profiles.end(),
                     [](const auto& entry) { return entry.second.mig; });
}

bool Board::is_ampere_or_newer() const { return has_capability(architecture, 80); }

bool Board::is_newer_than_ampere() const { return has_capability(architecture, 89); }

bool Board::is_hopper_or_newer() const { return has_capability(architecture, 90); }

double Board::compute_share(const Profile& profile) const {
  const auto counted = multiprocessors_of_slices.find(profile.compute_slices);
  if (counted != multiprocessors_of_slices.end()) {
    return static_cast<double>(counted->second) / static_cast<double>(multiprocessors);
  }
  std::int64_t all = 0;
  for (const auto& [id, other] : profiles) all = std::max(all, other.compute_slices);
  return static_cast<double>(profile.compute_slices) / static_cast<double>(all);
}

double Board::memory_share(const Profile& profile) const {
  std::int64_t all = 0;
  for (const auto& [id, other] : profiles) all = std::max(all, other.memory_slices);
  return static_cast<double>(profile.memory_slices) / static_cast<double>(all);
}

const Profile* Profiles::find(std::string_view name) const {
  const auto found = board_of_profile_.find(name);
  if (found == board_of_profile_.end()) return nullptr;
  return &boards_.find(found->second)->second.profiles.find(name)->second;
}

const Board* Profiles::board(std::string_view name) const {
  const auto found = boards_.find(name);
  return found == boards_.end() ? nullptr : &found->second;
}

const Board* Profiles::board_of(std::string_view gpu) const {
  const auto found = board_of_gpu_.find(gpu);
  return found == board_of_gpu_.end() ? nullptr : board(found->second);
}

std::vector<std::string> Profiles::names() const {
  std::vector<std::string> names;
  for (const auto& [name, board] : board_of_profile_) names.push_back(name);
  return names;
}

Shape Profiles::shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-profiles/1"})).required(),
      field("sources", citations_shape()).required(),
      field("boards",
            map_shape(
                "board, as profile names begin",
                object_shape({
                    field("gpus", array_shape(name_shape()))
                        .required()
                        .describe("GPUs of the catalogue that are this board"),
                    field("architecture", enum_shape(architectures())).required(),
                    field("memory", bytes_shape(Bytes{1})).required(),
                    field("bar1", bytes_shape(Bytes{1}))
                        .describe("PCIe address space of its memory")
                        .default_text("its memory, rounded up to a power of two"),
                    field("nvlink", boolean_shape()).required(),
                    field("vgpu", support_shape()).describe("support of the vGPU software for it"),
                    field("source", name_shape()).required(),
                    field("note", string_shape()),
                    field("time_sliced", time_sliced_shape()),
                    field("multiprocessors", multiprocessors_shape()),
                    field("mig", mig_shape()),
                })))
          .required(),
  });
}

tl::expected<Profiles, Diagnostics> Profiles::read(const SourcePtr& file) {
  const auto document = read_checked(file, shape);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  const Citations citations(*input::find(*document, "sources"));
  Profiles profiles;
  for (const auto& [name, key, value] : input::find(*document, "boards")->members()) {
    static_cast<void>(citations.of(*input::find(value, "source"), diagnostics));
    Board board;
    board.name = name;
    board.architecture = as_string(*input::find(value, "architecture"));
    board.memory = as_bytes(*input::find(value, "memory"));
    const auto bar1 = input::find(value, "bar1");
    board.bar1 = bar1 ? as_bytes(*bar1) : bar1_for(board.memory);
    board.nvlink = as_bool(*input::find(value, "nvlink"));
    board.vgpu = read_support(value, citations, diagnostics);
    for (const Value& gpu : input::find(value, "gpus")->elements()) {
      board.gpus.push_back(as_string(gpu));
      profiles.board_of_gpu_.emplace(as_string(gpu), name);
    }
    if (const auto counted = input::find(value, "multiprocessors")) {
      static_cast<void>(citations.of(*input::find(*counted, "source"), diagnostics));
      board.multiprocessors = as_count(*input::find(*counted, "gpu"));
      for (const Member& member : input::find(*counted, "by_slices")->members()) {
        board.multiprocessors_of_slices[member.name.front() - '0'] = as_count(member.value);
      }
    }
    for (const bool mig : {false, true}) {
      const auto list = input::find(value, mig ? "mig" : "time_sliced");
      if (!list) continue;
      for (const Member& member : list->members()) {
        if (!profiles.board_of_profile_.emplace(member.name, name).second) {
          diagnostics.error("E425", member.key, member.value.pointer(),
                            fmt::format("profile \"{}\" is listed twice", member.name),
                            "each profile once");
        }
        board.profiles.emplace(member.name, read_profile(member, name, mig));
      }
    }
    profiles.boards_.emplace(name, std::move(board));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return profiles;
}

}  // namespace vgsim::vsphere
