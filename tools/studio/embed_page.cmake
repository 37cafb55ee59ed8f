# cmake -DFOLDER=page -DOUTPUT=assets.cpp -P embed_page.cmake
# Writes the files of the page as arrays of bytes, a definition of assets.hpp.

file(GLOB files LIST_DIRECTORIES false ${FOLDER}/*)
set(arrays "")
set(table "")
foreach(path IN LISTS files)
  get_filename_component(name ${path} NAME)
  get_filename_component(ending ${path} LAST_EXT)
  if(ending STREQUAL ".js")
    set(type "text/javascript; charset=utf-8")
  elseif(ending STREQUAL ".css")
    set(type "text/css; charset=utf-8")
  elseif(ending STREQUAL ".html")
    set(type "text/html; charset=utf-8")
  else()
    message(FATAL_ERROR "${path} is of no kind that a page has")
  endif()
  string(MAKE_C_IDENTIFIER ${name} identifier)
  file(READ ${path} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char k_${identifier}[] = {\n${bytes}0};\n\n")
  string(APPEND table "      {\"${name}\", \"${type}\", {&k_${identifier}[0], ${size}}},\n")
endforeach()
file(WRITE ${OUTPUT}
"#include \"tools/studio/assets.hpp\"

namespace vgsim::studio {
namespace {

${arrays}}  // namespace

const std::vector<Asset>& assets() {
  static const std::vector<Asset> all{
${table}  };
  return all;
}

}  // namespace vgsim::studio
")
