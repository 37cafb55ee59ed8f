#include "topology/input/units/unit_strings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

namespace vgsim::input {
namespace unit_strings_test {

using namespace vgsim::literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(UnitStrings, BytesAreDecimalOrBinaryAsWritten) {
  EXPECT_EQ(parse_bytes("512 B"), 512_B);
  EXPECT_EQ(parse_bytes("64 kB"), 64000_B);
  EXPECT_EQ(parse_bytes("64 KiB"), 65536_B);
  EXPECT_EQ(parse_bytes("25 MiB"), 25_MiB);
  EXPECT_EQ(parse_bytes("1.36 GB"), 1360_MB);
  EXPECT_EQ(parse_bytes("80GiB"), 80_GiB);
  EXPECT_EQ(parse_bytes("2 TB"), 2000_GB);
  EXPECT_EQ(parse_bytes("0.5 PiB"), Bytes{1LL << 49});
  EXPECT_EQ(parse_bytes("0 B"), 0_B);
  EXPECT_EQ(parse_bytes("007.50 kB"), 7500_B);
}

TEST(UnitStrings, RatesAreInBytesOrBits) {
  EXPECT_EQ(parse_bytes_per_second("600 GB/s"), 600_GBps);
  EXPECT_EQ(parse_bytes_per_second("25 Gbit/s"), BytesPerSecond{3'125'000'000});
  EXPECT_EQ(parse_bytes_per_second("25 Gb/s"), BytesPerSecond{3'125'000'000});
  EXPECT_EQ(parse_bytes_per_second("1.5 TB/s"), 1500_GBps);
  EXPECT_EQ(parse_bytes_per_second("1 GiB/s"), BytesPerSecond{1LL << 30});
  EXPECT_EQ(parse_bytes_per_second("1.969230769 GB/s"), BytesPerSecond{1'969'230'769});
  EXPECT_EQ(parse_bytes_per_second("8 bit/s"), BytesPerSecond{1});
}

TEST(UnitStrings, RatesOfPortsAreUnderstoodAsTheyAreCalled) {
  for (const char* text : {"100 Gbit/s", "100 Gb/s", "100 Gbps", "100Gbps", "100 GbE", "100GbE",
                           "0.1 Tbps", "100000 Mbps"}) {
    EXPECT_EQ(parse_bytes_per_second(text), BytesPerSecond{12'500'000'000}) << text;
  }
  // The large B of a byte is not the small b of a bit, and what is meant then has to be asked.
  EXPECT_THAT(parse_bytes_per_second("100 GBps").error(), HasSubstr("could be 100 GB/s"));
  EXPECT_THAT(parse_bytes_per_second("100 gbps").error(), HasSubstr("100 Gbit/s"));
}

TEST(UnitStrings, OneRateHasManySpellings) {
  for (const char* text : {"0.9 TB/s", "900 GB/s", "900GB/s", "900000 MB/s", "7.2 Tbit/s",
                           "7.2 Tb/s", "7200 Gbit/s", "900.000 GB/s"}) {
    EXPECT_EQ(parse_bytes_per_second(text), 900_GBps) << text;
  }
}

TEST(UnitStrings, TimesAreInPicoseconds) {
  EXPECT_EQ(parse_sim_time("300 ps"), 300_ps);
  EXPECT_EQ(parse_sim_time("300 ns"), 300_ns);
  EXPECT_EQ(parse_sim_time("2 us"), 2_us);
  EXPECT_EQ(parse_sim_time("2 \xC2\xB5s"), 2_us);
  EXPECT_EQ(parse_sim_time("2\xCE\xBCs"), 2_us);
  EXPECT_EQ(parse_sim_time("1.5 ms"), 1500_us);
  EXPECT_EQ(parse_sim_time("10 s"), 10_s);
  EXPECT_EQ(parse_sim_time("1 min"), 60_s);
  EXPECT_EQ(parse_sim_time("2 h"), 7200_s);
  EXPECT_EQ(parse_sim_time("0.000001 us"), 1_ps);
}

TEST(UnitStrings, OperationsAndTheirRates) {
  EXPECT_EQ(parse_flops("8.2 GFLOP"), Flops{8'200'000'000});
  EXPECT_EQ(parse_flops_per_second("312 TFLOP/s"), 312_TFLOPps);
  EXPECT_EQ(parse_flops_per_second("312 TFLOPS"), 312_TFLOPps);
  EXPECT_FALSE(parse_flops("312 TFLOPS"));
  EXPECT_FALSE(parse_flops_per_second("312 TFLOP"));
}

TEST(UnitStrings, BothReadingsOfAnAmbiguousSizeAreShown) {
  const auto both = AllOf(HasSubstr("64 kB = 64000 B"), HasSubstr("64 KiB = 65536 B"));
  for (const char* text : {"64 KB", "64 K", "64 k", "64KB", "64 kb"}) {
    ASSERT_FALSE(parse_bytes(text)) << text;
    EXPECT_THAT(parse_bytes(text).error(), both);
  }
  EXPECT_THAT(parse_bytes("64 G").error(),
              AllOf(HasSubstr("64 GB = 64000000000 B"), HasSubstr("64 GiB = 68719476736 B")));
}

TEST(UnitStrings, ARateWithoutItsSecondsIsAnErrorThatShowsTheReadings) {
  EXPECT_THAT(
      parse_bytes_per_second("25 GBps").error(),
      AllOf(HasSubstr("25 GB/s = 25000000000 B/s"), HasSubstr("25 Gbit/s = 3125000000 B/s")));
  EXPECT_THAT(parse_bytes_per_second("25 GB").error(),
              AllOf(HasSubstr("may mean 25 GB/s"), Not(HasSubstr("bit"))));
  EXPECT_THAT(parse_bytes_per_second("25 Gbit").error(),
              AllOf(HasSubstr("may mean 25 Gbit/s"), Not(HasSubstr("GB/s ="))));
  EXPECT_FALSE(parse_bytes("25 GB/s"));
}

TEST(UnitStrings, ABareNumberIsAnErrorThatShowsReadings) {
  EXPECT_THAT(parse_bytes("64").error(), AllOf(HasSubstr("64 GB = "), HasSubstr("64 GiB = ")));
  EXPECT_THAT(parse_bytes_per_second("64").error(),
              AllOf(HasSubstr("64 GB/s = "), HasSubstr("64 Gbit/s = ")));
  EXPECT_FALSE(parse_sim_time("5"));
  EXPECT_FALSE(parse_flops("5 "));
  EXPECT_FALSE(parse_flops_per_second("5"));
}

TEST(UnitStrings, MMayBeMillisecondsOrMinutes) {
  EXPECT_THAT(parse_sim_time("5 m").error(), AllOf(HasSubstr("5 ms"), HasSubstr("5 min")));
}

TEST(UnitStrings, WhatIsNotAWholeNumberOfBaseUnitsIsNeverRounded) {
  EXPECT_THAT(parse_bytes("0.3 B").error(), HasSubstr("whole number of bytes"));
  EXPECT_THAT(parse_bytes("0.0001 kB").error(), HasSubstr("whole number of bytes"));
  EXPECT_THAT(parse_sim_time("0.5 ps").error(), HasSubstr("whole number of picoseconds"));
  EXPECT_THAT(parse_bytes_per_second("100 bit/s").error(), HasSubstr("whole number of bytes"));
  EXPECT_FALSE(parse_bytes("0.1 KiB"));
}

TEST(UnitStrings, The64BitRangeIsTheLimit) {
  EXPECT_EQ(parse_bytes("9223372036854775807 B"), Bytes{INT64_MAX});
  EXPECT_THAT(parse_bytes("9223372036854775808 B").error(), HasSubstr("at most"));
  EXPECT_FALSE(parse_bytes("9224 PB"));
  EXPECT_FALSE(parse_sim_time("3000 h"));
  EXPECT_FALSE(parse_bytes("99999999999999999999 PiB"));
  EXPECT_FALSE(parse_bytes(std::string(60'000, '9') + " PB"));
  EXPECT_FALSE(parse_bytes("0." + std::string(60'000, '0') + "1 PB"));
  EXPECT_EQ(parse_bytes(std::string(1000, '0') + "1." + std::string(1000, '0') + " B"), 1_B);
}

TEST(UnitStrings, WhatIsNoDecimalNumberIsRefused) {
  EXPECT_THAT(parse_bytes("-3 B").error(), HasSubstr("negative"));
  for (const char* text : {"", " ", "GB", "+3 B", ".5 GB", "5. GB", "1e9 B", "1,5 GB", "0x10 B",
                           "3  GB", " 3 GB", "3 GB ", "3\tGB", "1.5.2 GB", "3 parsec", "NaN B"}) {
    ASSERT_FALSE(parse_bytes(text)) << text;
    EXPECT_THAT(parse_bytes(text).error(), HasSubstr("a size such as")) << text;
  }
}

struct Spelling {
  UnitKind kind;
  std::string text;
};

Spelling random_spelling() {
  const auto kind = *rc::gen::element(UnitKind::bytes, UnitKind::bytes_per_second, UnitKind::time,
                                      UnitKind::flops, UnitKind::flops_per_second);
  const std::string number = std::to_string(*rc::gen::inRange(0, 100000)) +
                             *rc::gen::element<std::string>("", ".", ".0", ".125", ".3");
  const std::string unit = *rc::gen::element<std::string>(
      "B", "kB", "KB", "MiB", "GB", "G", "", "GB/s", "Gbit/s", "Gb/s", "GBps", "us", "\xC2\xB5s",
      "m", "min", "s", "GFLOP", "TFLOPS", "TFLOP/s");
  return {kind, number + *rc::gen::element<std::string>("", " ", "  ") + unit};
}

RC_GTEST_PROP(UnitStringsProperty, TheRegexAcceptsAllThatIsRead, ()) {
  const Spelling spelling = random_spelling();
  const bool matches = std::regex_match(spelling.text, std::regex(unit_regex(spelling.kind)));
  const auto count = parse_quantity(spelling.kind, spelling.text);
  if (count) RC_ASSERT(matches);
  // What matches can only fail for not being whole: the numbers are small.
  if (matches && !count) RC_ASSERT(count.error().find("whole number") != std::string::npos);
}

RC_GTEST_PROP(UnitStringsProperty, ShiftingThePointAndThePrefixChangesNothing, ()) {
  const auto thousandths = *rc::gen::inRange<std::int64_t>(0, 10'000'000);
  const std::string large = std::to_string(thousandths / 1000) + "." +
                            std::to_string(1000 + thousandths % 1000).substr(1);
  for (const auto& [kind, unit, smaller] :
       {std::tuple(UnitKind::bytes, "GB", "MB"), std::tuple(UnitKind::time, "ms", "us"),
        std::tuple(UnitKind::bytes_per_second, "Tbit/s", "Gb/s"),
        std::tuple(UnitKind::flops_per_second, "TFLOPS", "GFLOP/s")}) {
    const bool same = parse_quantity(kind, large + unit) ==
                      parse_quantity(kind, std::to_string(thousandths) + " " + smaller);
    RC_ASSERT(same);
  }
}

}  // namespace unit_strings_test
}  // namespace vgsim::input
