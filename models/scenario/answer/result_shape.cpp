// Collects a layout's keys in a tree by JSON pointer, those of figures from the table of figures
// and the others from this file, and converts the tree to one shape.

#include "models/scenario/answer/result_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/read/layout_keys.hpp"

namespace vgsim::scenario {
namespace {

using input::array_shape;
using input::boolean_shape;
using input::count_shape;
using input::enum_shape;
using input::field;
using input::Field;
using input::map_shape;
using input::number_shape;
using input::object_shape;
using input::Shape;
using input::string_shape;

/// Keys of an object; each one is a value or a nested object.
struct Keys {
  struct Key {
    std::string name;
    std::vector<Shape> value;  ///< one element; empty for an object
    std::string meaning;
    bool required = false;
    std::vector<Keys> below;  ///< one element for an object
  };
  std::vector<Key> keys;

  Key& at(const std::string& name) {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
    return found == keys.end() ? keys.emplace_back(Key{name, {}, "", false, {}}) : *found;
  }

  /// At a pointer such as "/turns/steps".
  Key& below(const std::string& pointer) {
    const std::size_t next = pointer.find('/', 1);
    Key& key = at(pointer.substr(1, next == std::string::npos ? next : next - 1));
    if (next == std::string::npos) return key;
    if (key.below.empty()) key.below.emplace_back();
    return key.below.front().below(pointer.substr(next));
  }

  void add(const std::string& pointer, Shape shape, const std::string& meaning = "",
           bool required = false) {
    Key& key = below(pointer);
    key.value = {std::move(shape)};
    key.meaning = meaning;
    key.required = required;
  }

  [[nodiscard]] Shape shape() const {
    std::vector<Field> fields;
    for (const Key& key : keys) {
      Field one =
          field(key.name, key.value.empty() ? key.below.front().shape() : key.value.front());
      if (!key.meaning.empty()) one = one.describe(key.meaning);
      fields.push_back(key.required ? one.required() : one);
    }
    return object_shape(std::move(fields));
  }
};

const char* unit_words(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return "seconds";
    case MetricUnit::kPerSecond:
      return "1/s";
    case MetricUnit::kShare:
      return "share, 0 to 1";
    case MetricUnit::kBytes:
      return "bytes";
    case MetricUnit::kGBps:
      return "10^9 bytes/s";
    case MetricUnit::kFlops:
      return "operations/s";
    case MetricUnit::kCount:
      return "count";
    case MetricUnit::kHours:
      return "hours";
    case MetricUnit::kKwh:
      return "kWh";
    case MetricUnit::kMoney:
      return "currency of the prices";
  }
  return "";
}

std::string meaning_of(const Figure& figure) {
  return fmt::format("{}: {} ({})", figure.title, figure.meaning, unit_words(figure.unit));
}

void add_figures(Keys& keys) {
  for (const Figure& figure : figures()) {
    if (figure.is_list()) continue;
    Shape value = figure.infinite == nullptr ? number_shape() : number_shape().nullable();
    if (figure.members != nullptr) value = map_shape(string_shape(), number_shape());
    keys.add(figure.pointer, value, meaning_of(figure));
    if (figure.interval_pointer == nullptr) continue;
    const std::string range = figure.interval_pointer;
    keys.add(range + "/low", number_shape(), "lower limit of the 90 % interval over draws or seeds",
             true);
    keys.add(range + "/high", number_shape(), "upper limit", true);
  }
}

Shape text() { return string_shape(); }
Shape number() { return number_shape(); }
Shape texts() { return array_shape(string_shape()); }

/// List of objects with these keys; names of optional keys begin with "?".
Shape list_of(std::vector<std::pair<std::string, Shape>> keys) {
  std::vector<Field> fields;
  for (auto& [name, shape] : keys) {
    const bool optional = name.starts_with('?');
    Field one = field(name.substr(optional ? 1 : 0), std::move(shape));
    fields.push_back(optional ? one : one.required());
  }
  return array_shape(object_shape(std::move(fields)));
}

Shape choice() {
  return object_shape({field("algorithm", text()).required(), field("protocol", text()).required(),
                       field("nccl_predicts_us", number())
                           .required()
                           .describe("by NCCL's cost model, used only for the choice")});
}

Shape link() {
  return object_shape({field("resource", text()).required(), field("kind", text()).required(),
                       field("share", number_shape(0, 1)).required(), field("slot", text())})
      .nullable();
}

void add_training(Keys& keys) {
  keys.add("/iteration_time_ps", count_shape(), "exact value in picoseconds");
  keys.add("/first_iteration_time_s", number());
  keys.add("/settled", boolean_shape(),
           "true: iterations repeat periodically; false: all were simulated");
  keys.add("/iterations_run", count_shape(),
           "simulated iterations of an epoch; the others repeat them");
  keys.add("/repeats_after", count_shape(), "iterations per period; 0: no period found");
  keys.add("/iterations_per_epoch", count_shape());
  keys.add("/epoch_time_ps", count_shape().nullable(), "null unless every iteration is known");
  keys.add("/epochs", count_shape());
  keys.add("/samples", number(), "samples of all epochs");
  keys.add("/interruptions",
           list_of({{"what", text()}, {"time_s", number()}, {"steps", number()}, {"why", text()}}));
  keys.add("/maintenance/hosts_that_cannot_be_emptied", texts());
  keys.add("/global_batch", count_shape(), "samples of an iteration");
  keys.add("/tokens", count_shape(), "length of the training in tokens, if the scenario sets it");
  keys.add("/copies", count_shape(), "number of equal jobs on the hosts, including this one");
  for (const char* part : {"compute", "exposed_communication", "data_wait", "optimizer",
                           "pipeline_wait", "wait_for_jobs"}) {
    keys.add(fmt::format("/breakdown_ps/{}", part), count_shape(), "exact value in picoseconds",
             true);
  }
  keys.add("/host_cores", map_shape(text(), number()),
           "CPU cores in use on the busiest host, by cause");
  keys.add("/sent_bytes", map_shape(text(), number()),
           "bytes sent by one GPU per iteration, by axis of parallelism");
  keys.add("/breakdown_rank", text(), "rank of the breakdown: the one that ends last");
  keys.add("/compute_losses",
           list_of({{"mechanism", text()}, {"time_s", number()}, {"source", text()}}));
  keys.add("/interval/share", number_shape(0, 1), "share of the draws within the interval", true);
  keys.add("/interval/draws", count_shape(), "", true);
  keys.add("/spread/seeds", count_shape(), "", true);
  keys.add("/gradients", object_shape({field("bytes", number()).required(),
                                       field("buckets", count_shape()).required(),
                                       field("algorithms", map_shape(text(), count_shape())),
                                       field("bytes_by_link_kind", map_shape(text(), number()))}));
  keys.add("/cost/currency", text());
  keys.add("/roofline", object_shape({field("peak_flops_per_s", number()).required(),
                                      field("memory_bytes_per_s", number()).required(),
                                      field("points", list_of({{"layers", text()},
                                                               {"count", count_shape()},
                                                               {"flops", number()},
                                                               {"bytes", number()},
                                                               {"flops_per_byte", number()},
                                                               {"flops_per_s", number()}}))
                                          .required()}));
}

void add_collective(Keys& keys) {
  keys.add("/collective", text());
  const Shape operations = object_shape({field("chunks_of_1_over", count_shape()).required(),
                                         field("done", count_shape()).required(),
                                         field("by_ring", count_shape()).required()});
  keys.add("/points", list_of({{"bytes", count_shape()},
                               {"time_s", number()},
                               {"time_ps", count_shape()},
                               {"time_low_s", number()},
                               {"time_high_s", number()},
                               {"latency_s", number()},
                               {"algbw_GBps", number()},
                               {"busbw_GBps", number()},
                               {"?choice", choice()},
                               {"?channels", count_shape()},
                               {"?runner_up", choice()},
                               {"?beside_time_s", array_shape(number())},
                               {"?chunk_operations_per_gpu", operations},
                               {"?bottleneck", text()}}));
}

void add_machine(Keys& keys) {
  keys.add("/name", text(), "", true);
  keys.add("/mode", text(), "how VMs get their GPUs", true);
  keys.add("/vsphere", text(), "vSphere version; absent on bare metal");
  keys.add("/refused", boolean_shape(),
           "refused by vSphere or for lack of GPU memory; nothing was simulated", true);
  keys.add("/machines", count_shape(), "number of VMs, or of bare-metal hosts", true);
  keys.add("/ring", object_shape({field("channels", count_shape()).required(),
                                  field("hops", map_shape(text(), count_shape())).required()}));
  keys.add("/memory/capacity_bytes", number(), "device memory of the fullest GPU", true);
  keys.add("/memory/usual_bytes", number(),
           "memory that the GPU shows in use: with what the framework's allocator caches and gives "
           "back where memory is short",
           true);
  keys.add("/memory/fits", boolean_shape(), "", true);
  keys.add("/memory/largest_micro_batch", count_shape(), "largest micro-batch that fits; 0: none",
           true);
  const Shape losses = list_of({{"cause", text()}, {"share", number()}, {"?resource", text()}});
  keys.add("/numa", texts(), "NUMA nodes of the vCPUs, the memory and the GPUs of VMs");
  keys.add(
      "/jobs",
      map_shape("name of a job",
                object_shape({
                    field("network", text()).required(),
                    field("ranks", count_shape()).required(),
                    field("start_s", number()).required(),
                    field("iteration_time_alone_s", number()).required(),
                    field("iteration_time_s", number()).required().describe("while all jobs run"),
                    field("epoch_time_alone_s", number()).required(),
                    field("epoch_time_s", number())
                        .required()
                        .describe("of the first epoch, beside the jobs that run during it"),
                    field("training_time_s", number()).required(),
                    field("samples_per_s", number()).required(),
                    field("gpu_utilization", number_shape(0, 1)).required(),
                    field("slowdown", number())
                        .required()
                        .describe("iteration_time_s over iteration_time_alone_s"),
                    field("losses_by_resource", losses)
                        .required()
                        .describe("what each kind of shared resource adds to the iteration, "
                                  "relative to that of the job alone"),
                    field("losses_by_job", losses).required(),
                })),
      "several jobs at once; the other figures are of the first one");
  keys.add("/memory/parts_bytes", map_shape(text(), number()));
}

void add_basis(Keys& keys) {
  keys.add(
      "/bottleneck",
      object_shape({field("kind", text()).required(), field("share", number_shape(0, 1)).required(),
                    field("resource", text()), field("slot", text()), field("draws", count_shape()),
                    field("agree", count_shape())}),
      "the largest part of the time, and in how many draws it is");
  keys.add("/critical_link", link(), "link with the largest share of the critical path");
  keys.add("/next_limit",
           object_shape({field("without_kind", text()).required(),
                         field("iteration_time_s", number()).required(),
                         field("bottleneck", link()).required()}),
           "the next bottleneck, if all links of one kind were infinitely fast");
  keys.add("/links",
           list_of({{"resource", text()},
                    {"kind", text()},
                    {"links", count_shape()},
                    {"utilization", number_shape(0, 1)},
                    {"?core_seconds_per_iteration", number()},
                    {"?core_seconds", number()},
                    {"?bytes_per_iteration", number()},
                    {"?bytes", number()}}),
           "busiest first");
  keys.add("/drawn_s", array_shape(number().nullable()), "time in each draw");
  keys.add("/events", count_shape(), "number of simulated events");
  keys.add("/event_fingerprint", text());
  keys.add("/fingerprint", text(), "hash of the result");
  keys.add("/warnings", list_of({{"rule", text()},
                                 {"verdict", text()},
                                 {"text", text()},
                                 {"remedy", text()},
                                 {"source", text()},
                                 {"evidence", text()},
                                 {"confidence", text()},
                                 {"?disputed", text()}}));
  keys.add("/operations",
           list_of({{"operation", text()}, {"available", boolean_shape()}, {"?why", text()}}),
           "what an administrator can do with its running VMs, with the reason or condition");
  const Shape inputs = list_of({{"name", text()},
                                {"value", text()},
                                {"?low", text()},
                                {"?high", text()},
                                {"knowledge", text()},
                                {"calibrated", boolean_shape()},
                                {"source", text()}});
  keys.add("/inputs", object_shape({field("measured", count_shape()).required(),
                                    field("fitted", count_shape()).required(),
                                    field("documented", count_shape()).required(),
                                    field("assumed", count_shape()).required(),
                                    field("list", inputs).required()}));
  keys.add(
      "/measured_like",
      list_of({{"what", text()},
               {"machines", count_shape()},
               {"architecture", text()},
               {"of_it", count_shape()}}),
      "measured machines behind the models, and how many of them have GPUs of this architecture");
  keys.add("/calibration", text().nullable(), "name of the calibration used");
  keys.add("/assumptions", texts());
  keys.add("/assumed",
           list_of({{"text", text()}, {"time_s", number()}, {"alternative_time_s", number()}}));
  keys.add("/assumed_not_priced", object_shape({field("assumptions", texts()).required(),
                                                field("priced_by", text()).required()}));
  keys.add("/open", list_of({{"text", text()}, {"needed", boolean_shape()}}));
}

Shape manifest_shape() {
  return object_shape({field("vgsim", text()).required().describe("version"),
                       field("scenario_file", text()).required(), field("set", texts()),
                       field("seed", count_shape()), field("draws", count_shape()),
                       field("scenario", scenario_document_shape()).required(),
                       field("files", map_shape(text(), text()))});
}

}  // namespace

Shape result_shape() {
  Keys layout;
  add_machine(layout);
  add_figures(layout);
  add_training(layout);
  add_collective(layout);
  add_basis(layout);
  return object_shape(
      {field("schema", enum_shape({"vgsim.result/2"})).required(),
       field("scenario", text()).required().describe("name of the scenario"),
       field("layouts", map_shape("name of a layout", layout.shape())).required(),
       field("differences", list_of({{"faster", text()},
                                     {"slower", text()},
                                     {"more", number()},
                                     {"low", number()},
                                     {"high", number()},
                                     {"draws", count_shape()},
                                     {"agree", count_shape()},
                                     {"statement", text()}}))
           .describe(
               "of every two layouts with the same work: how much longer the slower one takes "
               "(0.12: 12 %), its 90 % interval and the draws that agree, over common draws"),
       field("draws", object_shape({field("asked", count_shape()).required(),
                                    field("cut_off", count_shape()).required()}))
           .describe("present if a limit cut some draws off"),
       field("manifest", manifest_shape()).describe("everything needed to reproduce the result")});
}

}  // namespace vgsim::scenario
