# The libraries of vgsim; tools/packages/run.txt gives the purpose of each. With
# VGSIM_ARCHIVES those that come as archives too are linked so: the program then starts faster, and
# where none of them is installed.

if(EMSCRIPTEN)
  include(${CMAKE_CURRENT_LIST_DIR}/../html/libraries.cmake)
  return()
endif()

find_package(Boost 1.74 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(pugixml REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp 3.2 REQUIRED)
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
find_package(ZLIB REQUIRED)

# Sets `file` as the library file of `target`.
function(vgsim_location target file)
  get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
  foreach(configuration IN LISTS configurations)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION_${configuration} ${file})
  endforeach()
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${file})
endfunction()

# Defines `target` for the library `name`: with VGSIM_ARCHIVES for its archive, if there is one. Further
# arguments are the libraries that an archive needs.
function(vgsim_library target name)
  if(VGSIM_ARCHIVES)
    set(archive lib${name}_pic.a lib${name}.a)
  endif()
  find_library(VGSIM_LIBRARY_${name} NAMES ${archive} ${name} REQUIRED)
  mark_as_advanced(VGSIM_LIBRARY_${name})
  if(NOT TARGET ${target})
    add_library(${target} UNKNOWN IMPORTED GLOBAL)
  endif()
  vgsim_location(${target} ${VGSIM_LIBRARY_${name}})
  if(VGSIM_LIBRARY_${name} MATCHES "\\.a$")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${ARGN})
  endif()
endfunction()

# libhwloc links udev, of which run time's library will do.
find_library(VGSIM_LIBRARY_udev NAMES udev libudev.so.1 REQUIRED)
mark_as_advanced(VGSIM_LIBRARY_udev)

vgsim_library(hwloc hwloc ${VGSIM_LIBRARY_udev} m)
vgsim_library(jemalloc jemalloc Threads::Threads m ${CMAKE_DL_LIBS})
vgsim_library(pugixml::shared pugixml)
vgsim_library(SQLite::SQLite3 sqlite3 m ${CMAKE_DL_LIBS})
vgsim_library(xxhash xxhash)
vgsim_library(ZLIB::ZLIB z)
vgsim_library(minizip minizip ZLIB::ZLIB)

# Debian has no archive of fmt, but fmt's headers hold its sources.
if(VGSIM_ARCHIVES AND fmt_VERSION VERSION_GREATER_EQUAL 9.1 AND fmt_VERSION VERSION_LESS 11)
  add_library(vgsim_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
  set_target_properties(vgsim_fmt PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    POSITION_INDEPENDENT_CODE ON)
  add_dependencies(fmt::fmt vgsim_fmt)
  vgsim_location(fmt::fmt ${CMAKE_BINARY_DIR}/libvgsim_fmt.a)
endif()
