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

/// Reads the host, which differs between the VMs of a range.
bool take_host(LayoutVm& vm, const Member& member) {
  if (member.name != "host") return false;
  vm.spec.host = At<std::string>{member.value.string(), member.value.origin()};
  return true;
}

/// Entries with user-defined names. Entries of a range share their content, which is read once;
/// `own` reads the one member that differs.
template <class T>
Decoder<std::vector<Named<Shared<T>>>> shared_by_range(
    std::string keys, const Decoder<T>& entry, std::size_t min,
    std::function<bool(T&, const Member&)> own = nullptr) {
  return {map_shape(std::move(keys), entry.shape, min),
          [read = entry.read, own = std::move(own)](const Value& value, Diagnostics& diagnostics) {
            std::unordered_map<const void*, Shared<T>> known;  // only for lookups
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
          .describe(
              "log-normal jitter of each rank's computing time in each iteration: standard "
              "deviation of the logarithm, with an unchanged mean. With 0 no jitter is drawn; the "
              "wait for the slowest rank then has its expected value")
          .default_value("0")
          .examples({"0.03"}),
      key("stragglers", &Spec::stragglers,
          named("name of a GPU such as esx03/gpu1, of a host or of a VM", number(0.01, 1000.0)))
          .describe("constant slowdown factor of computing"),
      key("seed", &Spec::seed, count(0, 1'000'000'000'000))
          .describe("seed of the random draws; each rank has its own sequence, seeded by its name")
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
              .describe("end of the fault")
              .default_text("never"),
          key("share", &FaultSpec::share, number(0.0, 1.0))
              .required()
              .describe("remaining share of the capacity; 0 for a link that is down"),
      },
      [](const FaultSpec& fault, const Value&, Diagnostics& diagnostics) {
        if (!fault.until || **fault.until > fault.at) return;
        topology::report(diagnostics, *fault.until, "\"until\" is not after \"at\"");
      });
}

Decoder<NeighbourSpec> neighbour() {
  using Spec = NeighbourSpec;
  return record<Spec>(
      {
          key("host", &Spec::host, name())
              .required()
              .describe("host of the neighbours; a name or a pattern")
              .examples({"esx01", "esx*"}),
          key("path", &Spec::path, list(placed(name()), 2, 8))
              .describe("path of their data, device by device: memoryN, gpuN, storage, a NIC, "
                        "and \"network\" at the other end of a NIC")
              .examples({"[\"storage\", \"memory0\"]", "[\"memory1\", \"vmnic0\", \"network\"]"}),
          key("rate", &Spec::rate, rate(BytesPerSecond{1}))
              .describe("data rate on the path")
              .examples({"20 Gbit/s"}),
          key("cores", &Spec::cores, number(0.0, 1024.0))
              .describe("busy CPU cores of the host")
              .default_text(
                  "those of its traffic over a NIC, with TCP and the virtual switch; otherwise 0"),
      },
      [](const Spec& neighbour, const Value& at, Diagnostics& diagnostics) {
        if (!neighbour.path || neighbour.rate) return;
        topology::report(diagnostics, at, "\"path\" without \"rate\"", "\"rate\": \"10 Gbit/s\"");
      });
}

Decoder<Prices> prices() {
  const auto amount = [] { return number(0.0, 1e9); };
  return record<Prices>({
      key("currency", &Prices::currency, name()).default_text("none").examples({"EUR"}),
      key("gpu_hour", &Prices::gpu_hour, amount())
          .describe("price per GPU-hour, busy or idle")
          .default_value("0"),
      key("host_hour", &Prices::host_hour, amount())
          .describe("price per host-hour without GPUs; a job pays for the share of the host's GPUs "
                    "that it "
                    "uses")
          .default_value("0"),
      key("licence_gpu_hour", &Prices::licence_gpu_hour, amount())
          .describe("price per GPU-hour of the licence for vGPUs, such as NVIDIA AI Enterprise, "
                    "for a whole GPU; "
                    "passthrough and bare metal need no licence")
          .default_value("0"),
      key("parts", &Prices::parts, named("catalogue name of a part, or nvlink-bridge", amount()))
          .describe("unit price, for the changes that vgsim explain and advise propose")
          .default_text("none"),
      key("kwh", &Prices::kwh, amount()).describe("price per kWh").default_value("0"),
      key("pue", &Prices::pue, number(1.0, 5.0))
          .describe("power usage effectiveness: energy of the data centre divided by that of its "
                    "computers")
          .default_value("1"),
  });
}

Decoder<Reliability> reliability() {
  const auto hours = [] { return number(1.0, 1e12); };
  return record<Reliability>({
      key("gpu_hours", &Reliability::gpu_hours, hours())
          .describe(
              "mean time between failures of one GPU that stop a job, from any cause, in hours")
          .default_text("parameter gpu_hours_between_failures"),
      key("host_hours", &Reliability::host_hours, hours())
          .describe("mean time between failures of one host, in hours")
          .default_text("no failures other than those of its GPUs"),
      key("restart", &Reliability::restart, time())
          .describe("time from a failure until the job loads its last checkpoint")
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
          .describe(
              "vmotion: live migration of the VM; restart: planned, from a checkpoint "
              "saved just before; host_failure: HA restarts the VM on another host, from the last "
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
          .describe("outages of each host per month")
          .examples({"1"}),
      key("lasts", &MaintenanceSpec::lasts, time())
          .describe("duration of an outage; VMs that fit on no other host wait for its end")
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
          .describe("zero: links, switches and software have no latency"),
      taken_away("virtualization", &Idealised::zero_overhead, "zero", "modelled")
          .describe("zero: kernels run as fast in a VM as on bare metal"),
      taken_away("computing", &Idealised::ideal_computing, "ideal", "modelled")
          .describe("ideal: operations at the achieved share only: no gaps between "
                    "kernels, no slow ranks, no slowdown by gradient traffic"),
      taken_away("support", &Idealised::any_support, "any", "as_stated")
          .describe("any: systems that work, but that their vendor does not support, are not "
                    "refused"),
      taken_away("memory", &Idealised::unlimited_memory, "unlimited", "modelled")
          .describe("unlimited: no check that the job fits into device memory"),
      taken_away("bandwidth", &Idealised::line_rate, "line_rate", "effective")
          .describe("line_rate: the payload uses the full line rate; effective: without the "
                    "protocol overhead"),
  });
}

Keys<Layout> layout_keys() {
  return {
      key("name", &Layout::name, name()).required().describe("name of the scenario in results"),
      key("calibration", &Layout::calibration, name())
          .describe("measurements on such machines: the name of a file in "
                    "configs/calibrations/, or a file in the scenario's folder")
          .default_text("none: default constants")
          .examples({"my-hosts.json"}),
      key("vsphere", &Layout::vsphere, version())
          .describe("vSphere version")
          .default_value("8.0U3"),
      key("hosts", &Layout::hosts,
          shared_by_range("name of a host, or a range such as esx[01-04]", host(), 1))
          .required()
          .describe("physical hosts"),
      key("cluster", &Layout::cluster, vsphere::cluster_decoder())
          .describe("settings of the cluster and of vCenter")
          .default_text("as vMotion and DRS of vGPUs need it, with the default stun limit"),
      key("fabric", &Layout::fabric, topology::fabric_decoder())
          .describe("network between hosts")
          .default_text("one non-blocking switch"),
      key("vms", &Layout::vms,
          shared_by_range<LayoutVm>("name of a VM, or a range such as train[01-04]", vm(), 0,
                                    take_host))
          .describe("virtual machines")
          .default_text("none: the job runs on the hosts as bare metal"),
      key("job", &Layout::job, job_decoder())
          .required()
          .describe("the training job or the collective"),
      key("jobs", &Layout::jobs, named("name of a job", placed(job_decoder())))
          .describe("further training jobs at the same time, each with its \"vms\" or \"ranks\"; "
                    "they share hosts and network; without \"job\" the first one is the job")
          .default_text("none"),
      key("variability", &Layout::variability, variability())
          .describe("jitter and stragglers: differences between equal ranks")
          .default_text("none"),
      key("faults", &Layout::faults, list(fault(), 1, 10'000))
          .describe("links that fail or slow down during the job"),
      key("neighbours", &Layout::neighbours, list(placed(neighbour()), 1, 1000))
          .describe("constant load of others on the same hosts"),
      key("prices", &Layout::prices, prices())
          .describe("prices of GPUs, hosts, licences and energy"),
      key("reliability", &Layout::reliability, reliability())
          .describe("failure rates; {} for those published for large clusters")
          .default_text("no failures except those in \"disruptions\""),
      key("disruptions", &Layout::disruptions, list(placed(disruption()), 1, 10'000))
          .describe("events that stop VMs of the job during training"),
      key("maintenance", &Layout::maintenance, maintenance())
          .describe("rolling maintenance of the hosts: its cost per month to a training "
                    "job, by vMotion and by restarts; not part of the training time")
          .default_text("no maintenance"),
      key("idealise", &Layout::idealised, idealise())
          .describe("switch off model effects, for comparison with calculations by hand"),
  };
}

}  // namespace

const Decoder<Layout>& layout_decoder() {
  static const Decoder<Layout> decoder = record<Layout>(layout_keys());
  return decoder;
}

Shape scenario_shape() {
  std::vector<Field> fields = layout_decoder().shape.node().fields;
  for (Field& each : fields) {
    if (each.name() == "job") each = each.optional();  // or "jobs", see read_layouts()
  }
  fields.push_back(
      field("layouts", map_shape("name of a layout", patch_of(layout_decoder().shape), 1, 100))
          .describe("variants to compare: JSON merge patches (RFC 7396) of the rest "
                    "of this file")
          .default_text("one layout without a patch"));
  fields.push_back(field("expect", expect_shape())
                       .describe("expected results, tested by vgsim check")
                       .default_text("none"));
  return object_shape(std::move(fields)).published_in("scenario.schema.json");
}

Shape scenario_document_shape() {
  input::ShapeNode node = scenario_shape().node();
  node.fields.push_back(field("$schema", input::string_shape()));
  node.fields.push_back(field("description", input::string_shape()));
  return Shape(std::move(node));
}

}  // namespace vgsim::scenario
