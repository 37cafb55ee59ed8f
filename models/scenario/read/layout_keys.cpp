#include "models/scenario/read/layout_keys.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "models/scenario/read/expect_shape.hpp"
#include "models/scenario/read/job_keys.hpp"
#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/spec/host_settings_keys.hpp"
#include "models/vsphere/spec/vm_keys.hpp"
#include "topology/input/record.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/look_up.hpp"
#include "topology/spec/fabric_keys.hpp"
#include "topology/spec/host_keys.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

/// The object in canonical form, without one of its members.
std::string said_by(const Value& object, std::string_view left_out) {
  std::vector<Member> members = object.members();
  std::erase_if(members, [&](const Member& member) { return member.name == left_out; });
  return to_canonical_string(Value::make_object(std::move(members)));
}

Decoder<LayoutHost> host() {
  Keys<LayoutHost> keys;
  add_keys(keys, &LayoutHost::spec, topology::host_keys());
  add_keys(keys, &LayoutHost::settings, vsphere::host_settings_keys());
  Decoder<LayoutHost> decoder = record<LayoutHost>(std::move(keys));
  return {decoder.shape, [read = decoder.read](const Value& value, Diagnostics& diagnostics) {
            LayoutHost host = read(value, diagnostics);
            host.said = said_by(value, "");
            host.said_without_leaf = said_by(value, "leaf");
            return host;
          }};
}

Decoder<LayoutVm> vm() {
  const Decoder<vsphere::VmSpec> spec = vsphere::vm_decoder();
  return {spec.shape, [read = spec.read](const Value& value, Diagnostics& diagnostics) {
            return LayoutVm{read(value, diagnostics), said_by(value, "host")};
          }};
}

/// What tells the VMs of a range apart.
bool take_host(LayoutVm& vm, const Member& member) {
  if (member.name != "host") return false;
  vm.spec.host = At<std::string>{member.value.string(), member.value.origin()};
  return true;
}

/// Entries under free names, where those of a range share what they are: it is read once. `own`
/// reads a member that differs from entry to entry, where all else is the same.
template <class T>
Decoder<std::vector<Named<Shared<T>>>> shared_by_range(
    std::string keys, const Decoder<T>& entry, std::size_t min,
    std::function<bool(T&, const Member&)> own = nullptr) {
  return {map_shape(std::move(keys), entry.shape, min),
          [read = entry.read, own = std::move(own)](const Value& value, Diagnostics& diagnostics) {
            std::unordered_map<const void*, Shared<T>> known;  // never walked through
            std::vector<Named<Shared<T>>> all;
            const Value* before = nullptr;
            const auto from_before = [&](const Value& present) -> Shared<T> {
              const auto differ =
                  own && before != nullptr ? members_not_shared(*before, present) : std::nullopt;
              if (!differ || differ->size() != 1) return nullptr;
              auto copy = std::make_shared<T>(*all.back().value);
              return own(*copy, *differ->front()) ? copy : nullptr;
            };
            for (const Member& each : value.members()) {
              Shared<T>& one = known[each.value.content()];
              if (!one) one = from_before(each.value);
              if (!one) one = std::make_shared<const T>(read(each.value, diagnostics));
              all.push_back({each.name, each.key, one, each.value.origin()});
              before = &each.value;
            }
            return all;
          }};
}

Decoder<std::string> version() {
  std::vector<std::pair<std::string, std::string>> meanings;
  for (const std::string& word : vsphere::Versions::words()) meanings.emplace_back(word, word);
  return words<std::string>(std::move(meanings));
}

Decoder<VariabilitySpec> variability() {
  using Spec = VariabilitySpec;
  return record<Spec>({
      key("compute_sigma", &Spec::compute_sigma, number(0.0, 2.0))
          .describe("log-normal jitter of each rank's computing time in each iteration: standard "
                    "deviation of its logarithm; the mean stays. With 0 none is drawn, and the "
                    "wait for the slowest rank is its expectation")
          .default_value("0")
          .examples({"0.03"}),
      key("stragglers", &Spec::stragglers,
          named("name of a GPU such as esx03/gpu1, of a host or of a VM", number(0.01, 1000.0)))
          .describe("how many times longer something computes, always"),
      key("seed", &Spec::seed, count(0, 1'000'000'000'000))
          .describe("of the random draws; each rank has a sequence of its own, by its name")
          .default_value("1"),
  });
}

Decoder<FaultSpec> fault() {
  return record<FaultSpec>(
      {
          key("link", &FaultSpec::link, name())
              .required()
              .describe("NIC (both directions of its port) or GPU (all of its links) of a host")
              .examples({"esx01/vmnic4"}),
          key("at", &FaultSpec::at, time())
              .required()
              .describe("time from the start")
              .examples({"2 s"}),
          key("until", &FaultSpec::until, time())
              .describe("when all is well again")
              .default_text("never"),
          key("share", &FaultSpec::share, number(0.0, 1.0))
              .required()
              .describe("of the capacity that remains; 0 for a link that is down"),
      },
      [](const FaultSpec& fault, const Value&, Diagnostics& diagnostics) {
        if (!fault.until || **fault.until > fault.at) return;
        topology::report(diagnostics, *fault.until, "the fault ends before it begins");
      });
}

Decoder<NeighbourSpec> neighbour() {
  using Spec = NeighbourSpec;
  return record<Spec>(
      {
          key("host", &Spec::host, name())
              .required()
              .describe("host that they run on; a name or a pattern")
              .examples({"esx01", "esx*"}),
          key("path", &Spec::path, list(placed(name()), 2, 8))
              .describe("what their data crosses, device by device: memoryN, gpuN, storage, a NIC, "
                        "and \"network\" beside a NIC")
              .examples({"[\"storage\", \"memory0\"]", "[\"memory1\", \"vmnic0\", \"network\"]"}),
          key("rate", &Spec::rate, rate(BytesPerSecond{1}))
              .describe("how much data, on all of the path")
              .examples({"20 Gbit/s"}),
          key("cores", &Spec::cores, number(0.0, 1024.0))
              .describe("cores of the host that they keep busy"),
      },
      [](const Spec& neighbour, const Value& at, Diagnostics& diagnostics) {
        if (!neighbour.path || neighbour.rate) return;
        topology::report(diagnostics, at, "traffic of a neighbour has no rate",
                         "\"rate\": \"10 Gbit/s\"");
      });
}

Decoder<Prices> prices() {
  const auto amount = [] { return number(0.0, 1e9); };
  return record<Prices>({
      key("currency", &Prices::currency, name()).default_text("none").examples({"EUR"}),
      key("gpu_hour", &Prices::gpu_hour, amount())
          .describe("of a GPU, used or not")
          .default_value("0"),
      key("host_hour", &Prices::host_hour, amount())
          .describe(
              "of a host, without its GPUs; a job pays for the share of the host's GPUs that it "
              "has")
          .default_value("0"),
      key("licence_gpu_hour", &Prices::licence_gpu_hour, amount())
          .describe(
              "of the licence that vGPUs need, such as NVIDIA AI Enterprise, for a whole GPU; "
              "GPUs in passthrough and bare metal need none")
          .default_value("0"),
      key("parts", &Prices::parts,
          named("catalogue name of a part that can be bought, or nvlink-bridge", amount()))
          .describe("of one piece, for what vgsim explain and advise propose")
          .default_text("none"),
      key("kwh", &Prices::kwh, amount()).describe("of a kilowatt-hour").default_value("0"),
      key("pue", &Prices::pue, number(1.0, 5.0))
          .describe("energy of the data centre over that of its computers")
          .default_value("1"),
  });
}

Decoder<Reliability> reliability() {
  const auto hours = [] { return number(1.0, 1e12); };
  return record<Reliability>({
      key("gpu_hours", &Reliability::gpu_hours, hours())
          .describe("mean hours of one GPU between failures that stop a job, whatever the cause")
          .default_text("parameter gpu_hours_between_failures"),
      key("host_hours", &Reliability::host_hours, hours())
          .describe("the same of one host")
          .default_text("never beside its GPUs"),
      key("restart", &Reliability::restart, time())
          .describe("from a failure until the job loads its last checkpoint")
          .default_text("parameter ha_restart_time"),
  });
}

Decoder<DisruptionSpec> disruption() {
  using Kind = DisruptionKind;
  return record<DisruptionSpec>({
      key("kind", &DisruptionSpec::kind,
          words<Kind>({{"vmotion", Kind::kVmotion},
                       {"restart", Kind::kRestart},
                       {"host_failure", Kind::kHostFailure}}))
          .required()
          .describe("vmotion: the VM is moved while it runs; restart: planned, from a checkpoint "
                    "that is saved before; host_failure: HA starts it elsewhere, from the last "
                    "checkpoint"),
      key("vm", &DisruptionSpec::vm, name()).required().describe("VM of the job"),
      key("at", &DisruptionSpec::at, time())
          .required()
          .describe("time from the start of the training"),
  });
}

Decoder<MaintenanceSpec> maintenance() {
  return record<MaintenanceSpec>({
      key("per_month", &MaintenanceSpec::per_month, number(0.0, 1000.0))
          .required()
          .describe("how often each host is taken down in a month")
          .examples({"1"}),
      key("lasts", &MaintenanceSpec::lasts, time())
          .describe("until the host runs VMs again; VMs that fit nowhere else wait for it")
          .default_value("1 h"),
  });
}

Decoder<Idealised> idealise() {
  const auto taken_away = [](const char* name, bool Idealised::*member, const char* word,
                             const char* otherwise) {
    return key(name, member, words<bool>({{word, true}, {otherwise, false}}))
        .default_value(otherwise);
  };
  return record<Idealised>({
      taken_away("latency", &Idealised::zero_latency, "zero", "modelled")
          .describe("zero: no link, switch or software takes time of its own"),
      taken_away("virtualization", &Idealised::zero_overhead, "zero", "modelled")
          .describe("zero: kernels run in a VM as fast as on bare metal"),
      taken_away("computing", &Idealised::ideal_computing, "ideal", "modelled")
          .describe("ideal: operations at the achieved share and nothing else: no gaps between "
                    "kernels, no ranks slower than others, nothing lost to gradient traffic"),
      taken_away("memory", &Idealised::unlimited_memory, "unlimited", "modelled")
          .describe("unlimited: a job runs though its GPUs have too little memory for it"),
      taken_away("bandwidth", &Idealised::line_rate, "line_rate", "effective")
          .describe("line_rate: payload gets all of a link; effective: what protocols leave of it"),
  });
}

Keys<Layout> layout_keys() {
  return {
      key("name", &Layout::name, name())
          .required()
          .describe("what the scenario is called in results"),
      key("calibration", &Layout::calibration, name())
          .describe("what was measured on such machines: the name of a file in "
                    "configs/calibrations/, or a file beside the scenario")
          .default_text("none: the models' defaults")
          .examples({"my-hosts.json"}),
      key("vsphere", &Layout::vsphere, version())
          .describe("vSphere version")
          .default_value("8.0U3"),
      key("hosts", &Layout::hosts,
          shared_by_range("name of a host, or a range such as esx[01-04]", host(), 1))
          .required()
          .describe("physical hosts"),
      key("fabric", &Layout::fabric, topology::fabric_decoder())
          .describe("network between hosts")
          .default_text("one non-blocking switch"),
      key("vms", &Layout::vms,
          shared_by_range<LayoutVm>("name of a VM, or a range such as train[01-04]", vm(), 0,
                                    take_host))
          .describe("virtual machines")
          .default_text("none: the job runs on the hosts as bare metal"),
      key("job", &Layout::job, job_decoder()).required().describe("what runs"),
      key("variability", &Layout::variability, variability())
          .describe("what makes equal ranks unequal")
          .default_text("nothing"),
      key("faults", &Layout::faults, list(fault(), 1, 10'000))
          .describe("links that fail or slow down while the job runs"),
      key("neighbours", &Layout::neighbours, list(placed(neighbour()), 1, 1000))
          .describe("what others on the same hosts move and compute all the time"),
      key("prices", &Layout::prices, prices()).describe("of what a training job occupies"),
      key("reliability", &Layout::reliability, reliability())
          .describe("how often parts fail; {} for what is known of large clusters")
          .default_text("nothing fails but what \"disruptions\" say"),
      key("disruptions", &Layout::disruptions, list(placed(disruption()), 1, 10'000))
          .describe("what stops VMs of the job while it trains"),
      key("maintenance", &Layout::maintenance, maintenance())
          .describe("hosts are emptied and patched one after the other: what that costs a training "
                    "job in a month, by vMotion and by restarts, beside the training time")
          .default_text("nothing is said of it"),
      key("idealise", &Layout::idealised, idealise())
          .describe("take away what real links lose, to compare with arithmetic on paper"),
  };
}

}  // namespace

const Decoder<Layout>& layout_decoder() {
  static const Decoder<Layout> decoder = record<Layout>(layout_keys());
  return decoder;
}

Shape scenario_shape() {
  std::vector<Field> fields = layout_decoder().shape.node().fields;
  fields.push_back(
      field("layouts", map_shape("name of a layout", patch_of(layout_decoder().shape), 1, 100))
          .describe("variants to compare: JSON merge patches (RFC 7396) over the rest "
                    "of this file")
          .default_text("one layout without a patch"));
  fields.push_back(field("expect", expect_shape())
                       .describe("what must hold of the results: vgsim check looks after it")
                       .default_text("nothing"));
  return object_shape(std::move(fields)).published_in("scenario.schema.json");
}

Shape scenario_document_shape() {
  input::ShapeNode node = scenario_shape().node();
  node.fields.push_back(field("$schema", input::string_shape()));
  node.fields.push_back(field("description", input::string_shape()));
  return Shape(std::move(node));
}

}  // namespace vgsim::scenario
