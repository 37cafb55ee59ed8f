#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The accepted shape of a value in a file, and how it is read: one description for both.
///
/// `read` requires a value that check() has accepted; for any other it throws std::logic_error. It
/// reports errors that a shape cannot express, such as two keys that exclude each other.
template <class T>
struct Decoder {
  Shape shape;
  std::function<T(const Value&, Diagnostics&)> read;

  /// Adds a sentence that describes the value.
  [[nodiscard]] Decoder describe(std::string text) const {
    return {shape.describe(std::move(text)), read};
  }
};

[[nodiscard]] Decoder<bool> boolean();
/// Whole numbers, limits included, as in all functions below.
[[nodiscard]] Decoder<std::int64_t> count(std::int64_t min, std::int64_t max);
[[nodiscard]] Decoder<double> number(double min, double max);
[[nodiscard]] Decoder<Bytes> bytes(Bytes min = Bytes{0}, Bytes max = Bytes{kNoLimit});
[[nodiscard]] Decoder<BytesPerSecond> rate(BytesPerSecond min = BytesPerSecond{0},
                                           BytesPerSecond max = BytesPerSecond{kNoLimit});
[[nodiscard]] Decoder<SimTime> time(SimTime min = SimTime{0}, SimTime max = SimTime{kNoLimit});
/// A text that name_shape() accepts.
[[nodiscard]] Decoder<std::string> name();
/// The JSON value itself, unchanged.
[[nodiscard]] Decoder<Value> as_written(Shape shape);

/// Converts the value that is read to another type.
template <class T, class Change>
[[nodiscard]] auto changed(Decoder<T> decoder, Change change)
    -> Decoder<decltype(change(std::declval<T>()))> {
  return {decoder.shape, [read = std::move(decoder.read), change = std::move(change)](
                             const Value& value, Diagnostics& diagnostics) {
            return change(read(value, diagnostics));
          }};
}

/// One of the words, each with its value.
template <class T>
[[nodiscard]] Decoder<T> words(std::vector<std::pair<std::string, T>> meanings) {
  std::vector<std::string> all;
  for (const auto& [word, meaning] : meanings) all.push_back(word);
  return {enum_shape(std::move(all)),
          [meanings = std::move(meanings)](const Value& value, Diagnostics&) {
            std::size_t place = 0;
            while (meanings.at(place).first != value.string()) ++place;
            return meanings[place].second;
          }};
}

/// Text that `parse` accepts: it returns an optional, or an expected whose error describes the
/// expected form. \p noun, \p regex as in pattern_string().
template <class Parse>
[[nodiscard]] auto text(std::string noun, std::string regex, Parse parse) {
  using Parsed = std::decay_t<decltype(parse(std::string_view()))>;
  using T = typename Parsed::value_type;
  const auto complaint = [parse, noun](std::string_view text) -> std::optional<std::string> {
    const Parsed parsed = parse(text);
    if (parsed) return std::nullopt;
    if constexpr (requires { parsed.error(); }) {
      return parsed.error();
    } else {
      return noun;
    }
  };
  return Decoder<T>{
      pattern_string(std::move(noun), std::move(regex), complaint),
      [parse](const Value& value, Diagnostics&) -> T { return *parse(value.string()); }};
}

template <class T>
[[nodiscard]] Decoder<std::vector<T>> list(Decoder<T> element, std::size_t min = 0,
                                           std::size_t max = kMaxItems) {
  return {array_shape(element.shape, min, max),
          [read = std::move(element.read)](const Value& value, Diagnostics& diagnostics) {
            std::vector<T> all;
            all.reserve(value.elements().size());
            for (const Value& each : value.elements()) all.push_back(read(each, diagnostics));
            return all;
          }};
}

/// The same with the origin of each.
template <class T>
[[nodiscard]] Decoder<At<T>> placed(Decoder<T> decoder) {
  return {decoder.shape,
          [read = std::move(decoder.read)](const Value& value, Diagnostics& diagnostics) {
            return At<T>{read(value, diagnostics), value.origin(), true};
          }};
}

/// Entries with free names, in the order of the file. \p key_description as in map_shape().
template <class T>
[[nodiscard]] Decoder<std::vector<Named<T>>> named(std::string key_description, Decoder<T> entry,
                                                   std::size_t min = 0,
                                                   std::size_t max = kMaxItems) {
  return {
      map_shape(std::move(key_description), entry.shape, min, max),
      [read = std::move(entry.read)](const Value& value, Diagnostics& diagnostics) {
        std::vector<Named<T>> all;
        all.reserve(value.members().size());
        for (const Member& each : value.members()) {
          all.push_back({each.name, each.key, read(each.value, diagnostics), each.value.origin()});
        }
        return all;
      }};
}

/// Whether a value matches a shape.
[[nodiscard]] bool fits(const Value& value, const Shape& shape);

/// The text as JSON, else as a string, whichever matches the shape; nothing if neither does.
[[nodiscard]] std::optional<Value> fitting_value(const std::string& text, const Shape& shape);

/// One of several decoders: the first that accepts the value reads it.
template <class T>
[[nodiscard]] Decoder<T> any_of(std::vector<Decoder<T>> alternatives) {
  std::vector<Shape> shapes;
  for (const Decoder<T>& each : alternatives) shapes.push_back(each.shape);
  return {any_of_shape(std::move(shapes)),
          [alternatives = std::move(alternatives)](const Value& value, Diagnostics& diagnostics) {
            std::size_t place = 0;
            while (place + 1 < alternatives.size() && !fits(value, alternatives[place].shape)) {
              ++place;
            }
            return alternatives[place].read(value, diagnostics);
          }};
}

}  // namespace vgsim::input
