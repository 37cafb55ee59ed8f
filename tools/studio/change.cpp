#include "tools/studio/change.hpp"

#include <fmt/format.h>

#include "tools/studio/host_count.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::studio {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;

constexpr std::int64_t kMostHosts = 100'000;
constexpr std::size_t kMostPlaces = 10'000;

input::Shape change_shape() {
  using namespace input;
  const Shape place = object_shape({field("pointer", string_shape()).required(),
                                    field("value", any_shape()), field("new", boolean_shape())});
  return object_shape({field("title", string_shape()), field("gesture", string_shape()),
                       field("set", array_shape(place, 0, kMostPlaces)),
                       field("hosts", count_shape(1, kMostHosts)),
                       field("all_the_same", boolean_shape())});
}

std::string text_of(const Value& object, const char* key) {
  const auto found = find(object, key);
  return found ? found->string() : std::string();
}

bool flag_of(const Value& object, const char* key) {
  const auto found = find(object, key);
  return found && found->boolean();
}

}  // namespace

tl::expected<Change, Diagnostics> read_change(const Value& value) {
  static const input::Shape shape = change_shape();
  Diagnostics diagnostics;
  input::check(value, shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Change change;
  change.title = text_of(value, "title");
  change.gesture = text_of(value, "gesture");
  change.all_the_same = flag_of(value, "all_the_same");
  if (const auto hosts = find(value, "hosts")) change.hosts = input::as_count(*hosts);
  if (const auto set = find(value, "set")) {
    for (const Value& place : set->elements()) {
      change.set.push_back({text_of(place, "pointer"),
                            find(place, "value").value_or(Value::make_null()),
                            flag_of(place, "new")});
    }
  }
  return change;
}

tl::expected<Value, Diagnostics> changed(const Value& scenario, const Change& change) {
  Diagnostics diagnostics;
  Value value = scenario;
  if (change.hosts) value = with_host_count(value, *change.hosts, diagnostics);
  if (!diagnostics.has_errors() && !change.set.empty()) {
    value = scenario::with_overrides(value, change.set, diagnostics).value();
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return value;
}

std::string title_of(const Change& change) {
  std::vector<std::string> words;
  if (change.hosts) words.push_back(fmt::format("{} hosts", *change.hosts));
  for (const scenario::Override& each : change.set) {
    words.push_back(fmt::format("{} = {}", each.pointer, scenario::words_of(each)));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace vgsim::studio
