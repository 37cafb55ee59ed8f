#include "topology/input/record.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace record_test {

enum class Color { kRed, kBlue };

struct Wheel {
  std::int64_t spokes = 0;
  std::optional<Bytes> memory;
};

struct Engine {
  bool runs = false;
};

struct Car {
  At<Color> color;
  std::optional<At<std::string>> owner;
  SimTime age{};
  std::vector<Wheel> wheels;
  std::vector<Named<double>> prices;
  Wheel spare;
  Engine engine;
};

Decoder<Wheel> wheel() {
  return record<Wheel>({
      key("spokes", &Wheel::spokes, count(1, 100)).default_value("36"),
      key("memory", &Wheel::memory, bytes()).default_text("none"),
  });
}

Decoder<Car> car() {
  Keys<Car> keys{
      key("color", &Car::color, words<Color>({{"red", Color::kRed}, {"blue", Color::kBlue}}))
          .default_value("blue"),
      key("owner", &Car::owner, name()),
      key("age", &Car::age, time()).required(),
      key("wheels", &Car::wheels, list(wheel(), 1)).required(),
      key("prices", &Car::prices, named("name of a shop", number(0, 1e9))),
      key("spare", &Car::spare, wheel()),
  };
  add_keys(keys, &Car::engine,
           Keys<Engine>{key("runs", &Engine::runs, boolean()).default_value("true")});
  return record<Car>(std::move(keys), [](const Car& read, const Value& at, Diagnostics& found) {
    if (read.wheels.size() > 4) found.error("E411", at.location(), at.pointer(), "too many wheels");
  });
}

Car read(const std::string& text) {
  Diagnostics none;
  const Value value = parsed(text);
  check(value, car().shape, none);
  const Car result = car().read(value, none);
  EXPECT_TRUE(none.empty()) << render(none);
  return result;
}

TEST(Record, ReadsWhatIsThere) {
  const Car read_car = read(
      R"({"color": "red", "owner": "Ada", "age": "2 s", "runs": false, "spare": {"spokes": 7},
          "wheels": [{"memory": "1 KiB"}, {"spokes": 12}], "prices": {"there": 2, "here": 1.5}})");
  EXPECT_EQ(*read_car.color, Color::kRed);
  EXPECT_TRUE(read_car.color.given);
  EXPECT_EQ(marked(read_car.owner->origin.location), "\"Ada\"");
  EXPECT_EQ(to_pointer(read_car.owner->origin.path), "/owner");
  EXPECT_EQ(read_car.age, SimTime{2'000'000'000'000});
  ASSERT_EQ(read_car.wheels.size(), 2U);
  EXPECT_EQ(read_car.wheels[0].memory, Bytes{1024});
  EXPECT_EQ(read_car.wheels[1].spokes, 12);
  EXPECT_EQ(read_car.spare.spokes, 7);
  EXPECT_FALSE(read_car.engine.runs);
  ASSERT_EQ(read_car.prices.size(), 2U);
  EXPECT_EQ(read_car.prices[0].name, "there");
  EXPECT_EQ(marked(read_car.prices[1].key), "\"here\"");
  EXPECT_EQ(*read_car.prices[1], 1.5);
}

TEST(Record, UsesTheDefaultInTheSchema) {
  const Car read_car = read(R"({"age": "1 s", "wheels": [{}], "prices": {}})");
  EXPECT_EQ(*read_car.color, Color::kBlue);
  EXPECT_FALSE(read_car.color.given);
  EXPECT_EQ(to_pointer(read_car.color.origin.path), "");
  EXPECT_FALSE(read_car.owner);
  EXPECT_TRUE(read_car.engine.runs);
  EXPECT_EQ(read_car.wheels[0].spokes, 36);
  EXPECT_FALSE(read_car.wheels[0].memory);
  const std::string schema = to_json_schema(car().shape, "car", "car.json");
  EXPECT_NE(schema.find("\"default\": 36"), std::string::npos) << schema;
  EXPECT_NE(schema.find("\"default\": \"blue\""), std::string::npos);
}

TEST(Record, AMissingRecordHasNoKeys) {
  EXPECT_EQ(read(R"({"age": "1 s", "wheels": [{}], "prices": {}})").spare.spokes, 36);
}

TEST(Record, ReportsErrorsThatShapesCannotExpress) {
  Diagnostics found;
  const Value value = parsed(R"({"age": "1 s", "wheels": [{}, {}, {}, {}, {}], "prices": {}})");
  static_cast<void>(car().read(value, found));
  EXPECT_EQ(codes_of(found.items()), Codes{"E411"});
}

TEST(Record, RefusesADefaultOutsideOfItsRange) {
  EXPECT_THROW(static_cast<void>(key("spokes", &Wheel::spokes, count(1, 100)).default_value("0")),
               std::logic_error);
}

TEST(Record, RefusesAnOptionalKeyWithoutADefault) {
  const Keys<Wheel> keys{key("spokes", &Wheel::spokes, count(1, 100))};
  EXPECT_THROW(static_cast<void>(record<Wheel>(keys)), std::logic_error);
}

struct Paint {
  std::int64_t coats = 0;
};

TEST(AnyOf, ReadsByTheFirstThatMatches) {
  const auto paint =
      any_of<Paint>({changed(words<std::int64_t>({{"none", 0}, {"double", 2}}),
                             [](std::int64_t coats) { return Paint{coats}; }),
                     record<Paint>({key("coats", &Paint::coats, count(0, 9)).required()})});
  Diagnostics none;
  EXPECT_EQ(paint.read(parsed(R"("double")"), none).coats, 2);
  EXPECT_EQ(paint.read(parsed(R"({"coats": 7})"), none).coats, 7);
  EXPECT_EQ(check_errors(paint.shape, R"("treble")").size(), 1U);
}

}  // namespace record_test
}  // namespace vgsim::input
