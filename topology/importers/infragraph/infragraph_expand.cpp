#include "topology/importers/infragraph/infragraph_expand.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "topology/importers/infragraph/infragraph_slices.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology::infragraph {
namespace {

using input::Diagnostics;
using input::SourcePtr;

constexpr std::size_t kMaxVertices = 65536;
constexpr std::size_t kMaxSteps = 1'000'000;  ///< ends of edges that are looked at
constexpr std::size_t kMaxJoins = 262'144;

struct Refused {};

/// A device that is expanded: what its components became.
struct Scope {
  struct Members {
    std::int64_t count = 0;
    std::uint32_t first = 0;   ///< vertex of the first
    std::vector<Scope> inner;  ///< of a component that is a device, instead of vertices
  };
  const Device* device = nullptr;
  std::map<std::string, Members, std::less<>> members;
};

/// Devices nest: a component may be a device with components and edges of its own, and an edge
/// names its ends by slices ("xpu[0:4].port[0]"). The expander makes each component a vertex and
/// each edge the pairs of vertices that it stands for, depth first. Every step is counted, since a
/// few lines of slices can stand for more than any memory holds.
class Expander {
 public:
  Expander(const DeviceIndex& devices, SourcePtr source)
      : devices_(devices), source_(std::move(source)) {}

  void expand(const Device& device) { (void)expand(device, "", 1); }

  Expansion expansion;
  Diagnostics errors;

 private:
  using Vertices = std::vector<std::uint32_t>;
  struct KnownLink {
    const Link* link = nullptr;
    LinkKind kind = LinkKind::kOther;
  };

  [[nodiscard]] input::Location at(Place place) const {
    return {source_, place.offset, place.length};
  }
  void odd(Place place, std::string message) {
    expansion.warnings.warning(import_codes::kOddValue.code, at(place), "", std::move(message));
  }
  [[noreturn]] void refuse(const input::ErrorCode& code, Place place, std::string message,
                           std::string expected) {
    errors.error(code.code, at(place), "", std::move(message), std::move(expected));
    throw Refused{};
  }
  void spend(std::size_t& account, std::size_t amount, std::size_t most, Place place,
             const char* what) {
    account += amount;
    if (account > most) {
      refuse(import_codes::kTooMuch, place, fmt::format("the device has too many {}", what),
             fmt::format("at most {}", most));
    }
  }

  [[nodiscard]] Scope expand(const Device& device, const std::string& prefix, std::size_t nesting);
  [[nodiscard]] Scope::Members members_of(const Component& component, std::int64_t count,
                                          const std::string& prefix, std::size_t nesting);
  [[nodiscard]] std::int64_t count_of(const Component& component, const Device& device);
  void add_joins(const Edge& edge, const Scope& scope);
  void join(std::uint32_t a, std::uint32_t b, const KnownLink& link);
  void ring(const Vertices& a, const Vertices& b, const KnownLink& link);
  [[nodiscard]] Vertices resolve(const Endpoint& end, const Scope& scope);
  void resolve(std::string_view text, const Endpoint& end, const Scope& scope, Vertices& found);
  [[nodiscard]] KnownLink link_called(const Edge& edge, const Device& device);
  void assume_once(const std::string& sentence) {
    auto& assumed = expansion.assumed;
    if (std::ranges::find(assumed, sentence) == assumed.end()) {
      assumed.push_back(sentence);
    }
  }

  const DeviceIndex& devices_;
  SourcePtr source_;
  std::size_t scopes_ = 0;
  std::size_t steps_ = 0;
  std::size_t joins_ = 0;
  Place edge_place_;  ///< of the edge at hand
  std::map<const Device*, std::map<std::string_view, KnownLink>> links_;
};

/// Where a name in an endpoint may end: before a bracket or point, or at the end.
std::size_t next_cut(std::string_view text, std::size_t from) {
  return std::min(text.find_first_of("[.", from), text.size());
}

std::int64_t Expander::count_of(const Component& component, const Device& device) {
  if (component.count) return *component.count;
  spend(steps_, device.edges.size(), kMaxSteps, component.place, "edges");
  std::int64_t count = 1;
  for (const Edge& edge : device.edges) {
    for (const Endpoint* end : {&edge.ep1, &edge.ep2}) {
      const std::string_view text = end->owner.empty() ? end->component : end->owner;
      if (!text.starts_with(component.name)) continue;
      const std::string_view rest = text.substr(component.name.size());
      const std::size_t close = rest.find(']');
      const auto slice = parse_slice(rest.substr(0, close == rest.npos ? close : close + 1));
      if (slice) count = std::max(count, count_for(*slice));
    }
  }
  assume_once("components of which no count is told are as many as the edges name");
  return count;
}

Scope::Members Expander::members_of(const Component& component, std::int64_t count,
                                    const std::string& prefix, std::size_t nesting) {
  Scope::Members members;
  members.count = count;
  members.first = static_cast<std::uint32_t>(expansion.vertices.size());
  std::optional<Role> role;
  const Device* inner = nullptr;
  if (component.kind == ComponentKind::kDevice) {
    inner = devices_.find(component.name);
    if (inner == nullptr) {
      odd(component.place, fmt::format("the device \"{}\" is not described", component.name));
    } else {
      role = devices_.role_as_part(*inner, component);
    }
  }
  if (inner != nullptr && !role) {
    for (std::int64_t i = 0; i < count; ++i) {
      members.inner.push_back(
          expand(*inner, fmt::format("{}{}.{}.", prefix, component.name, i), nesting + 1));
    }
    return members;
  }
  std::size_t vertices = expansion.vertices.size();
  spend(vertices, static_cast<std::size_t>(count), kMaxVertices, component.place, "components");
  if (!role) role = role_of(component);
  for (std::int64_t i = 0; i < count; ++i) {
    expansion.vertices.push_back(
        {&component, *role, fmt::format("{}{}.{}", prefix, component.name, i)});
  }
  return members;
}

Scope Expander::expand(const Device& device, const std::string& prefix, std::size_t nesting) {
  if (nesting > kMaxNesting) {
    refuse(import_codes::kTooMuch, device.place,
           fmt::format("devices are nested too deeply, or \"{}\" in itself", device.name),
           fmt::format("at most {} levels", kMaxNesting));
  }
  spend(scopes_, 1, kMaxVertices, device.place, "devices in it");
  Scope scope{&device, {}};
  for (const Component& component : device.components) {
    spend(steps_, 1, kMaxSteps, component.place, "components");
    const std::int64_t count = count_of(component, device);
    scope.members.emplace(component.name, members_of(component, count, prefix, nesting));
  }
  for (const Edge& edge : device.edges) add_joins(edge, scope);
  return scope;
}

void Expander::resolve(std::string_view text, const Endpoint& end, const Scope& scope,
                       Vertices& found) {
  constexpr int kCuts = 8;  // a name may hold brackets and points itself, but not many
  auto member = scope.members.end();
  std::size_t cut = 0;
  for (int i = 0; i < kCuts && member == scope.members.end(); ++i) {
    cut = next_cut(text, i == 0 ? 0 : cut + 1);
    member = scope.members.find(text.substr(0, cut));
    if (cut == text.size()) break;
  }
  if (member == scope.members.end()) {
    return odd(end.place, fmt::format("an edge names \"{}\", which \"{}\" does not have", text,
                                      scope.device->name));
  }
  const std::size_t point = std::min(text.find('.', cut), text.size());
  const auto slice = parse_slice(text.substr(cut, point - cut));
  if (!slice) {
    return refuse(import_codes::kBadValue, end.place, fmt::format("the slice in \"{}\"", text),
                  "the form name[2], or name[0:4]");
  }
  const auto& [name, members] = *member;
  if (reaches_beyond(*slice, members.count)) {
    odd(end.place,
        fmt::format("\"{}\" reaches beyond the {} of \"{}\"", text, members.count, name));
  }
  spend(steps_, static_cast<std::size_t>(size_of(*slice, members.count)) + 1, kMaxSteps, end.place,
        "edges");
  const std::string_view rest = text.substr(std::min(point + 1, text.size()));
  for (const std::int64_t i : indexes_of(*slice, members.count)) {
    if (members.inner.empty()) {
      found.push_back(members.first + static_cast<std::uint32_t>(i));
    } else {
      resolve(rest, end, members.inner[static_cast<std::size_t>(i)], found);
    }
  }
}

Expander::Vertices Expander::resolve(const Endpoint& end, const Scope& scope) {
  Vertices found;
  const std::string owner = end.owner.substr(0, end.owner.find('['));
  const bool within = owner.empty() || (owner == scope.device->name &&
                                        scope.members.find(owner) == scope.members.end());
  resolve(within ? end.component : fmt::format("{}.{}", end.owner, end.component), end, scope,
          found);
  return found;
}

Expander::KnownLink Expander::link_called(const Edge& edge, const Device& device) {
  static const Link kUnknown;
  auto& links = links_[&device];
  if (links.empty()) {
    for (const Link& link : device.links) {
      links.emplace(link.name, KnownLink{&link, kind_of(link)});
    }
  }
  const auto found = links.find(edge.link);
  if (found != links.end()) return found->second;
  odd(edge.ep1.place,
      fmt::format("\"{}\" has no link \"{}\", which an edge names", device.name, edge.link));
  return {&kUnknown, LinkKind::kOther};
}

void Expander::join(std::uint32_t a, std::uint32_t b, const KnownLink& link) {
  spend(joins_, 1, kMaxJoins, edge_place_, "edges");
  if (a != b) expansion.joins.push_back({a, b, link.link, link.kind});
}

void Expander::ring(const Vertices& a, const Vertices& b, const KnownLink& link) {
  assume_once("a ring joins each component with the next, and the last with the first");
  Vertices around = a;
  std::set<std::uint32_t> known(a.begin(), a.end());
  std::copy_if(b.begin(), b.end(), std::back_inserter(around),
               [&](std::uint32_t vertex) { return known.insert(vertex).second; });
  for (std::size_t i = 0; i < around.size(); ++i) {
    join(around[i], around[(i + 1) % around.size()], link);
  }
}

void Expander::add_joins(const Edge& edge, const Scope& scope) {
  edge_place_ = edge.ep1.place;
  const KnownLink link = link_called(edge, *scope.device);
  const Vertices a = resolve(edge.ep1, scope);
  const Vertices b = resolve(edge.ep2, scope);
  if (!edge.scheme && a.size() != b.size()) {
    assume_once("edges without a scheme join each with each where their ends differ in number");
  }
  const Scheme otherwise = a.size() == b.size() ? Scheme::kOneToOne : Scheme::kManyToMany;
  switch (edge.scheme.value_or(otherwise)) {
    case Scheme::kOneToOne:
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) join(a[i], b[i], link);
      return;
    case Scheme::kManyToMany:
      for (const std::uint32_t from : a) {
        for (const std::uint32_t to : b) join(from, to, link);
      }
      return;
    case Scheme::kRing:
      return ring(a, b, link);
  }
}

/// Keeps the first of those that join the same vertices with the same link.
void drop_repeated(std::vector<Join>& joins) {
  const auto key = [&](std::size_t i) {
    const Join& join = joins[i];
    return std::tuple(std::min(join.a, join.b), std::max(join.a, join.b), join.link, i);
  };
  std::vector<std::size_t> order(joins.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t x, std::size_t y) { return key(x) < key(y); });
  std::vector<bool> repeated(joins.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto [a, b, link, first] = key(order[i - 1]);
    repeated[order[i]] = std::tuple(a, b, link, order[i]) == key(order[i]);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < joins.size(); ++i) {
    if (!repeated[i]) joins[kept++] = joins[i];
  }
  joins.resize(kept);
}

}  // namespace

tl::expected<Expansion, Diagnostics> expand(const DeviceIndex& devices, const Device& device,
                                            const SourcePtr& source) {
  Expander expander(devices, source);
  try {
    expander.expand(device);
  } catch (const Refused&) {
    expander.errors.append(expander.expansion.warnings);
    return tl::unexpected(std::move(expander.errors));
  }
  drop_repeated(expander.expansion.joins);
  return std::move(expander.expansion);
}

}  // namespace vgsim::topology::infragraph
