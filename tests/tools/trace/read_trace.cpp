#include "tests/tools/trace/read_trace.hpp"

#include <gtest/gtest.h>

#include <protozero/pbf_reader.hpp>

namespace vgsim::test {
namespace {

using protozero::pbf_reader;

struct Reader {
  std::map<std::uint64_t, ShownTrack> tracks;
  std::map<std::uint64_t, std::vector<ShownSlice>> open;
  std::int64_t now = 0;

  void read_process(pbf_reader message, ShownTrack& track) {
    while (message.next()) {
      if (message.tag() == 1) {
        track.pid = message.get_int32();
      } else if (message.tag() == 6) {
        track.process_name = message.get_string();
      } else {
        ADD_FAILURE() << "field " << message.tag() << " of a process";
        message.skip();
      }
    }
  }

  void read_counter(pbf_reader message, ShownTrack& track) {
    track.is_counter = true;
    while (message.next()) {
      if (message.tag() == 6) {
        track.unit = message.get_string();
      } else {
        ADD_FAILURE() << "field " << message.tag() << " of a counter";
        message.skip();
      }
    }
  }

  void read_descriptor(pbf_reader message) {
    std::uint64_t uuid = 0;
    ShownTrack track;
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          uuid = message.get_uint64();
          break;
        case 2:
          track.name = message.get_string();
          break;
        case 3:
          read_process(message.get_message(), track);
          break;
        case 5:
          track.parent = message.get_uint64();
          break;
        case 8:
          read_counter(message.get_message(), track);
          break;
        case 11:
          EXPECT_EQ(message.get_int32(), 3) << "EXPLICIT";
          break;
        case 12:
          track.rank = message.get_int32();
          break;
        case 14:
          track.description = message.get_string();
          break;
        default:
          ADD_FAILURE() << "field " << message.tag() << " of a track";
          message.skip();
      }
    }
    EXPECT_NE(uuid, 0U);
    EXPECT_TRUE(track.parent == 0 || tracks.contains(track.parent)) << track.name;
    EXPECT_TRUE(tracks.emplace(uuid, track).second) << "a second track with that uuid";
  }

  static void read_annotation(pbf_reader message, ShownSlice& slice) {
    std::string name;
    std::optional<std::string> text;
    std::int64_t number = 0;
    while (message.next()) {
      if (message.tag() == 10) {
        name = message.get_string();
      } else if (message.tag() == 6) {
        text = message.get_string();
      } else if (message.tag() == 4) {
        number = message.get_int64();
      } else {
        ADD_FAILURE() << "field " << message.tag() << " of an annotation";
        message.skip();
      }
    }
    if (text) {
      slice.texts[name] = *text;
    } else {
      slice.numbers[name] = number;
    }
  }

  void read_event(pbf_reader message, std::int64_t time) {
    std::int32_t type = 0;
    std::uint64_t uuid = 0;
    double value = 0;
    ShownSlice slice;
    slice.begin = slice.end = time;
    while (message.next()) {
      switch (message.tag()) {
        case 4:
          read_annotation(message.get_message(), slice);
          break;
        case 9:
          type = message.get_enum();
          break;
        case 11:
          uuid = message.get_uint64();
          break;
        case 22:
          slice.category = message.get_string();
          break;
        case 23:
          slice.name = message.get_string();
          break;
        case 44:
          value = message.get_double();
          break;
        case 47:
          slice.flows.push_back(message.get_fixed64());
          break;
        case 48:
          slice.ends_of_flows.push_back(message.get_fixed64());
          break;
        default:
          ADD_FAILURE() << "field " << message.tag() << " of an event";
          message.skip();
      }
    }
    take(type, uuid, std::move(slice), value);
  }

  void take(std::int32_t type, std::uint64_t uuid, ShownSlice slice, double value) {
    ASSERT_TRUE(tracks.contains(uuid)) << "an event before its track";
    ShownTrack& track = tracks[uuid];
    std::vector<ShownSlice>& stack = open[uuid];
    EXPECT_EQ(track.is_counter, type == 4);
    if (type == 1) {
      stack.push_back(std::move(slice));
    } else if (type == 2) {
      ASSERT_FALSE(stack.empty()) << "an end without its begin";
      stack.back().end = slice.end;
      track.slices.push_back(stack.back());
      stack.pop_back();
    } else if (type == 3) {
      track.slices.push_back(std::move(slice));
    } else {
      ASSERT_EQ(type, 4);
      track.values.emplace_back(slice.begin, value);
    }
  }

  void read_packet(pbf_reader message, bool first) {
    std::optional<std::int64_t> time;
    std::optional<pbf_reader> event;
    std::uint32_t sequence = 0;
    std::uint32_t flags = 0;
    while (message.next()) {
      switch (message.tag()) {
        case 8:
          time = static_cast<std::int64_t>(message.get_uint64());
          break;
        case 10:
          sequence = message.get_uint32();
          break;
        case 11:
          event = message.get_message();
          break;
        case 13:
          flags = message.get_uint32();
          break;
        case 60:
          read_descriptor(message.get_message());
          break;
        case 87:
          EXPECT_TRUE(message.get_bool());
          break;
        default:
          ADD_FAILURE() << "field " << message.tag() << " of a packet";
          message.skip();
      }
    }
    EXPECT_NE(sequence, 0U);
    EXPECT_EQ(flags, first ? 1U : 0U);
    if (!event) return;
    ASSERT_TRUE(time) << "an event without a time";
    EXPECT_GE(*time, now) << "events are in the order of time";
    now = *time;
    read_event(*event, *time);
  }
};

}  // namespace

std::map<std::uint64_t, ShownTrack> read_trace(const std::string& bytes) {
  Reader reader;
  pbf_reader trace(bytes);
  bool first = true;
  while (trace.next()) {
    EXPECT_EQ(trace.tag(), 1U);
    reader.read_packet(trace.get_message(), first);
    first = false;
  }
  for (const auto& [uuid, stack] : reader.open) {
    EXPECT_TRUE(stack.empty()) << reader.tracks[uuid].name << ": a begin without its end";
  }
  return std::move(reader.tracks);
}

}  // namespace vgsim::test
