#include "topology/input/syntax_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace syntax_error_test {

using ::testing::HasSubstr;

struct Case {
  std::string text;
  std::string code;
  std::size_t offset;
  std::string message;   // Part of it.
  std::string expected;  // Part of it.
};

class SyntaxErrors : public ::testing::TestWithParam<Case> {};

TEST_P(SyntaxErrors, StatePositionAndReason) {
  const Case& example = GetParam();
  const auto errors = read_errors(example.text);
  ASSERT_EQ(codes_of(errors), Codes{example.code}) << example.text;
  EXPECT_EQ(errors[0].location.offset, example.offset) << example.text;
  EXPECT_THAT(errors[0].message, HasSubstr(example.message)) << example.text;
  EXPECT_THAT(errors[0].expected, HasSubstr(example.expected)) << example.text;
}

INSTANTIATE_TEST_SUITE_P(
    Structure, SyntaxErrors,
    ::testing::Values(
        Case{"", "E103", 0, "the file is empty", "a JSON document"},
        Case{" \n ", "E103", 3, "the file is empty", "a JSON document"},
        Case{"{\"a\": [1,\n2", "E103", 11, "inside the array opened on line 1", "\"]\""},
        Case{"{\"a\": 1", "E103", 7, "inside the object opened on line 1", "\"}\""},
        Case{"{\"a\"", "E103", 4, "inside the object", "a colon and a value"},
        Case{"{\"a\":", "E103", 5, "inside the object", "a value"},
        Case{"{\"a\": \"x", "E103", 6, "inside a text", "closing double quote"},
        Case{"{\"a\": 1} x", "E104", 9, "follows the end", "the end of the file"},
        Case{"{}{}", "E104", 2, "follows the end", "the end of the file"},
        Case{"{\"a\": 1, }", "E102", 7, "trailing comma before \"}\"", "no comma"},
        Case{"[1, 2,\n]", "E102", 5, "trailing comma before \"]\"", "no comma"},
        Case{"[1,,2]", "E101", 3, "unexpected \",\"", "a value"},
        Case{"[,1]", "E101", 1, "unexpected \",\"", "a value"},
        Case{"[1, 2}", "E101", 5, "does not match the bracket opened on line 1", "\"]\""},
        Case{"{\"a\": 1]", "E101", 7, "does not match", "\"}\""},
        Case{"{\"a\": 1 \"b\": 2}", "E101", 8, "comma is missing", "\",\" or \"}\""},
        Case{"{\"a\" 1}", "E101", 5, "colon is missing", "\":\" and a value"},
        Case{"{\"a\": }", "E101", 6, "unexpected \"}\"", "a value"},
        Case{"]", "E101", 0, "unexpected \"]\"", "a value"}));

INSTANTIATE_TEST_SUITE_P(
    Words, SyntaxErrors,
    ::testing::Values(Case{"{a: 1}", "E101", 1, "unexpected \"a\"", "double quotes: \"a\""},
                      Case{"{'a': 1}", "E101", 1, "unexpected", "a key in double quotes"},
                      Case{"{\"a\": 1, b: 2}", "E101", 9, "unexpected \"b\"",
                           "a key in double quotes"},
                      Case{"{1: 1}", "E101", 1, "unexpected \"1\"", "a key in double quotes"},
                      Case{"['a']", "E101", 1, "single quotes", "double quotes"},
                      Case{"[True]", "E101", 1, "True is not JSON", "true, in lower case"},
                      Case{"[nvlink]", "E101", 1, "unexpected nvlink", "\"nvlink\""},
                      Case{"// x\n{}", "E101", 0, "comments", ""},
                      Case{"{\"a\":1 # x\n}", "E101", 7, "comments", ""},
                      Case{"{# x\n}", "E101", 1, "comments", ""}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, SyntaxErrors,
    ::testing::Values(Case{"[NaN]", "E110", 1, "NaN is not a number", "a finite number"},
                      Case{"[-Infinity]", "E110", 1, "-Infinity is not a number",
                           "a finite number"},
                      Case{"[inf]", "E110", 1, "inf is not a number", "a finite number"},
                      Case{"{\"a\": 1e999}", "E110", 6, "1e999 is too large", "1.8e308"},
                      Case{"[-1e999]", "E110", 1, "-1e999 is too large", "1.8e308"},
                      Case{"[+1]", "E101", 1, "+1 is not a JSON number", "no \"+\""},
                      Case{"[.5]", "E101", 1, ".5 is not a JSON number", "digits"},
                      Case{"[1.]", "E101", 1, "1. is not a JSON number", "digits"},
                      Case{"[1e]", "E101", 1, "1e is not a JSON number", "digits"},
                      Case{"[01]", "E101", 2, "cannot go on", "without leading zeros"},
                      Case{"[1.2.3]", "E101", 4, "cannot go on", "one point"},
                      Case{"[64GB]", "E101", 3, "unexpected \"GB\" after a number", "\"64 GB\""}));

INSTANTIATE_TEST_SUITE_P(
    Texts, SyntaxErrors,
    ::testing::Values(Case{"[\"a\\qb\"]", "E101", 3, "backslash", "\\n"},
                      Case{"[\"a\\u12g4\"]", "E101", 3, "backslash", "hexadecimal"},
                      Case{"[\"\\ud800x\"]", "E101", 2, "backslash", "surrogates in pairs"},
                      Case{"[\"\\udc00\"]", "E101", 2, "backslash", "surrogates in pairs"},
                      Case{"[\"a\nb\"]", "E101", 1, "without its closing quote",
                           "\\n for a line break"},
                      Case{"[\"a\tb\"]", "E108", 3, "control character", "\\u0009"},
                      Case{"{\"a\\q\": 1}", "E101", 3, "backslash", "\\n"},
                      Case{"{\"a\": 1, \"b\\q\": 1}", "E101", 11, "backslash", "\\n"}));

}  // namespace syntax_error_test
}  // namespace vgsim::input
