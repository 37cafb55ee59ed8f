#include "tools/studio/responses.hpp"

#include <nlohmann/json.hpp>

#include "topology/input/typed.hpp"

namespace vgsim::studio {

using nlohmann::ordered_json;

std::string json_text(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Response json_response(const ordered_json& json, int status) {
  return {status, "application/json", json_text(json), {}};
}

Response error_response(int status, const std::string& what) {
  return json_response({{"error", what}}, status);
}

Response cannot(const std::string& why) { return json_response({{"error", why}}); }

std::string of(const std::map<std::string, std::string>& query, const char* key) {
  const auto found = query.find(key);
  return found == query.end() ? std::string() : found->second;
}

std::string member_text(const input::Value& body, const char* key) {
  const auto found = body.is_object() ? input::find(body, key) : std::nullopt;
  return found && found->is_string() ? found->string() : std::string();
}

}  // namespace vgsim::studio
