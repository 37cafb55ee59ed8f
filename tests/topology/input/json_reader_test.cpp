#include "topology/input/json_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/growth.hpp"
#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace json_reader_test {

using ::testing::HasSubstr;

TEST(JsonReader, ReadsEveryKindOfValue) {
  const Value value = parsed(R"([null, true, -3, 2.5, "x", [], {"k": 1}])");
  std::vector<Kind> kinds;
  for (const Value& element : value.elements()) kinds.push_back(element.kind());
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::null, Kind::boolean, Kind::integer, Kind::number,
                                      Kind::string, Kind::array, Kind::object}));
  EXPECT_EQ(value.elements()[2].integer(), -3);
  EXPECT_EQ(value.elements()[3].number(), 2.5);
  EXPECT_EQ(value.elements()[4].string(), "x");
  EXPECT_EQ(value.elements()[6].member("k")->value.integer(), 1);
}

TEST(JsonReader, IntegersBeyond64BitsBecomeNumbersThatRememberIt) {
  EXPECT_EQ(parsed("9223372036854775807").kind(), Kind::integer);
  const Value large = parsed("9223372036854775808");
  EXPECT_EQ(large.kind(), Kind::number);
  EXPECT_TRUE(large.written_as_integer());
  EXPECT_EQ(large.number(), 9223372036854775808.0);
  EXPECT_TRUE(parsed("123456789012345678901234567890").written_as_integer());
  EXPECT_EQ(parsed("-9223372036854775808").kind(), Kind::integer);
  EXPECT_EQ(parsed("1.0").kind(), Kind::number);
  EXPECT_FALSE(parsed("1.0").written_as_integer());
  EXPECT_FALSE(parsed("1e2").written_as_integer());
}

TEST(JsonReader, MembersKeepTheOrderOfTheFileAndThePlaceOfTheirKeys) {
  const Value value = parsed(R"({"z": 1, "a" : {"m": [10, 20]}})");
  ASSERT_EQ(value.members().size(), 2u);
  EXPECT_EQ(value.members()[0].name, "z");
  EXPECT_EQ(marked(value.members()[1].key), "\"a\"");
  EXPECT_EQ(marked(value.members()[1].value.location()), R"({"m": [10, 20]})");
}

TEST(JsonReader, PointersFollowRfc6901) {
  const Value value = parsed(R"({"a/b": [{"m~n": 7}], "": 1})");
  EXPECT_EQ(value.pointer(), "");
  const Value& inner = value.member("a/b")->value.elements()[0].member("m~n")->value;
  EXPECT_EQ(inner.pointer(), "/a~1b/0/m~0n");
  EXPECT_EQ(value.member("")->value.pointer(), "/");
}

TEST(JsonReader, PositionsSurviveEscapesAndByteOrderMarks) {
  const Value value =
      parsed("\xEF\xBB\xBF{\"a\\\"\\\\\": \"\\u00e9\\ud83d\\ude00\", \"b\":-1.5E+3}");
  EXPECT_EQ(value.members()[0].name, "a\"\\");
  EXPECT_EQ(value.members()[0].value.string(), "é😀");
  EXPECT_EQ(marked(value.members()[0].value.location()), R"("\u00e9\ud83d\ude00")");
  EXPECT_EQ(marked(value.members()[1].value.location()), "-1.5E+3");
}

TEST(JsonReader, ADuplicateKeyIsAnErrorAtTheSecondThatNamesTheFirst) {
  const auto errors = read_errors("{\"x\": {\"gpus\": 8,\n\n \"cpus\": 1, \"gpus\": 4}}");
  ASSERT_EQ(codes_of(errors), Codes{"E105"});
  EXPECT_EQ(marked(errors[0].location), "\"gpus\"");
  EXPECT_EQ(line_column(errors[0].location).line, 3u);
  EXPECT_EQ(errors[0].pointer, "/x/gpus");
  EXPECT_THAT(errors[0].message, HasSubstr("line 1"));
}

TEST(JsonReader, KeysThatDifferOnlyInEscapesAreDuplicates) {
  EXPECT_EQ(codes_of(read_errors(R"({"a":1,"\u0061":2})")), Codes{"E105"});
}

TEST(JsonReader, AllDuplicatesAreReportedAlsoBeforeASyntaxError) {
  const auto errors = read_errors(R"({"a":1,"a":2,"a":3,"b":{"c":1,"c":2},"d":[1,]})");
  EXPECT_EQ(codes_of(errors), (Codes{"E105", "E105", "E105", "E102"}));
}

TEST(JsonReader, ManyDuplicatesStopTheReadingSoon) {
  std::string text = "{\"a\":0";
  for (int i = 0; i < 100'000; ++i) text += ",\"a\":0";
  const auto errors = read_errors(text + "}");
  EXPECT_EQ(errors.size(), 100u);
}

TEST(JsonReader, DepthIsLimitedTo64) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(read_errors(nested(64)).empty());
  const auto errors = read_errors(nested(65));
  ASSERT_EQ(codes_of(errors), Codes{"E106"});
  EXPECT_EQ(errors[0].location.offset, 64u);
  EXPECT_EQ(codes_of(read_errors(nested(100'000))), Codes{"E106"});
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(codes_of(read_errors(objects)), Codes{"E106"});
}

TEST(JsonReader, AFileBeyond64MiBIsRefused) {
  std::string text(kMaxFileBytes - 1, ' ');
  text += "1";
  EXPECT_TRUE(read_errors(text).empty());
  EXPECT_EQ(codes_of(read_errors(text + " ")), Codes{"E107"});
}

TEST(JsonReader, ATextBeyond64KiBIsRefusedAndReadingGoesOn) {
  const std::string fits(kMaxStringBytes, 'x');
  EXPECT_TRUE(read_errors("[\"" + fits + "\"]").empty());
  const auto errors =
      read_errors("{\"a\":[\"" + fits + "y\"],\"" + fits + "z\":1,\"c\":1,\"c\":2}");
  ASSERT_EQ(codes_of(errors), (Codes{"E107", "E107", "E105"}));
  EXPECT_EQ(errors[0].pointer, "/a/0");
}

TEST(JsonReader, TooManyValuesAreRefused) {
  std::string text = "[0";
  for (std::size_t i = 0; i < kMaxValues; ++i) text += ",0";
  EXPECT_EQ(codes_of(read_errors(text + "]")), Codes{"E107"});
}

TEST(JsonReader, NulIsRefusedInTextKeysAndFile) {
  const auto errors = read_errors(R"({"a\u0000": "b\u0000", "c": 1})");
  EXPECT_EQ(codes_of(errors), (Codes{"E108", "E108"}));
  EXPECT_EQ(marked(errors.at(1).location), R"("b\u0000")");
  const auto in_file = read_errors(std::string("{}\0{}", 5));
  ASSERT_EQ(codes_of(in_file), Codes{"E108"});
  EXPECT_EQ(in_file[0].location.offset, 2u);
}

TEST(JsonReader, BrokenUtf8IsRefusedAtItsPosition) {
  for (const std::string bytes : {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    const auto errors = read_errors("[\"ab" + bytes + "\"]");
    ASSERT_EQ(codes_of(errors), Codes{"E109"});
    EXPECT_EQ(errors[0].location.offset, 4u);
  }
}

TEST(JsonReader, Utf16IsNamedAsSuch) {
  EXPECT_THAT(read_errors(std::string("\xFF\xFE{\0", 4)).at(0).message, HasSubstr("UTF-16"));
}

TEST(JsonReader, ReadingTakesLinearTime) {
  const auto text_of = [](std::size_t entries) {
    std::string text = "{";
    for (std::size_t i = 0; i < entries; ++i) {
      text += (i > 0 ? ",\n\"k" : "\"k") + std::to_string(i) + "\": [1, \"abc\"]";
    }
    return text + "}";
  };
  const auto read = [](const std::string& text) {
    EXPECT_TRUE(read_json(make_source("f", text)).has_value());
  };
  EXPECT_TRUE(test::is_read_in_linear_time(text_of, read, 100'000));
}

TEST(JsonReader, CommentsAreIgnored) {
  const Value value = parsed(R"({"$comment": "why", "a": {"b": 1, "$comment": "and how"},
                                 "c": [{"$comment": "here too"}], "$schema": "x"})");
  EXPECT_EQ(to_canonical_string(value), R"({"$schema":"x","a":{"b":1},"c":[{}]})");
  EXPECT_EQ(value.member("a")->value.member("b")->value.pointer(), "/a/b");
}

TEST(JsonReader, ACommentIsTextAndUnique) {
  EXPECT_NE(parsed(R"({"$comment": 1})").member("$comment"), nullptr);
  EXPECT_EQ(codes_of(read_errors(R"({"$comment": "a", "$comment": "b"})")), Codes{"E105"});
}

}  // namespace json_reader_test
}  // namespace vgsim::input
