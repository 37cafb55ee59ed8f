#include <nlohmann/json.hpp>

#include "models/traces/lenient_json.hpp"
#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;

}  // namespace

Trace read_json_trace(std::istream& text) {
  KinetoReader kineto;
  ExecutionTraceReader execution;
  std::string member;  // the current member of the file
  bool events = false;
  bool nodes = false;
  const json::parser_callback_t visit = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kMaxDepth) throw TraceError("brackets are nested more than 64 deep");
    if (depth == 1 && event == json::parse_event_t::key) {
      member = parsed.get<std::string>();
      events = events || member == "traceEvents";
      nodes = nodes || member == "nodes";
    }
    if (depth != 2 || event != json::parse_event_t::object_end) return true;
    if (member == "traceEvents") kineto.take(parsed);
    if (member == "nodes") execution.take(parsed);
    return member != "traceEvents" && member != "nodes";
  };
  try {
    const json rest = json::parse(LenientJson(text), LenientJson(), visit);
    if (!rest.is_object() || events == nodes) {
      throw TraceError(events ? "the file has both \"traceEvents\" and \"nodes\""
                              : "the file has neither \"traceEvents\" nor \"nodes\"");
    }
    return events ? kineto.finish(rest) : execution.finish(rest);
  } catch (const json::exception& error) {
    throw TraceError(error.what());
  }
}

}  // namespace vgsim::traces
