# The libraries of vgsim for WebAssembly. Headers are those of Debian's packages, by links to the chosen
# folders: all of /usr/include would hide Emscripten's C library. What has to be compiled comes from
# Debian's source packages (sources.cmake); fmt's headers hold its sources.

enable_language(C)
include(${CMAKE_CURRENT_LIST_DIR}/sources.cmake)

set(chosen_headers ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${chosen_headers})
foreach(header boost CLI eigen3/Eigen fmt nlohmann protozero tl xxhash.h xxh3.h)
  if(NOT EXISTS /usr/include/${header})
    message(FATAL_ERROR "/usr/include/${header} is missing: tools/setup installs the libraries")
  endif()
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK /usr/include/${header} ${chosen_headers}/${name} SYMBOLIC)
endforeach()

add_library(vgsim_headers INTERFACE)
target_include_directories(vgsim_headers SYSTEM INTERFACE ${chosen_headers})
foreach(name Boost::headers CLI11::CLI11 Eigen3::Eigen nlohmann_json::nlohmann_json tl::expected)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_link_libraries(${name} INTERFACE vgsim_headers)
endforeach()
add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)  # none: there is one thread
add_library(xxhash INTERFACE)
target_link_libraries(xxhash INTERFACE vgsim_headers)
target_compile_definitions(xxhash INTERFACE XXH_INLINE_ALL)

add_library(vgsim_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/../release/fmt.cpp)
target_link_libraries(vgsim_fmt PUBLIC vgsim_headers)
add_library(fmt::fmt ALIAS vgsim_fmt)

add_library(vgsim_pugixml STATIC ${VGSIM_PUGIXML}/src/pugixml.cpp)
target_include_directories(vgsim_pugixml SYSTEM PUBLIC ${VGSIM_PUGIXML}/src)
add_library(pugixml::pugixml ALIAS vgsim_pugixml)

set(zlib_sources adler32 compress crc32 deflate gzclose gzlib gzread gzwrite inffast inflate inftrees trees uncompr zutil)
list(TRANSFORM zlib_sources PREPEND ${VGSIM_ZLIB}/)
list(TRANSFORM zlib_sources APPEND .c)
add_library(vgsim_zlib STATIC ${zlib_sources})
target_include_directories(vgsim_zlib SYSTEM PUBLIC ${VGSIM_ZLIB})
add_library(ZLIB::ZLIB ALIAS vgsim_zlib)

# The parts of libhwloc that build a topology from XML, for no operating system.
set(hwloc_sources base64 bind bitmap components cpukinds diff distances memattrs misc pci-common shmem
  topology topology-hardwired topology-noos topology-synthetic topology-xml topology-xml-nolibxml traversal)
list(TRANSFORM hwloc_sources PREPEND ${VGSIM_HWLOC}/hwloc/)
list(TRANSFORM hwloc_sources APPEND .c)
add_library(hwloc STATIC ${hwloc_sources})
target_include_directories(hwloc SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/hwloc ${VGSIM_HWLOC}/include)

# Its headers are included as <minizip/zip.h>.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/minizip)
file(CREATE_LINK ${VGSIM_MINIZIP} ${CMAKE_BINARY_DIR}/minizip/minizip SYMBOLIC)
add_library(minizip STATIC ${VGSIM_MINIZIP}/ioapi.c ${VGSIM_MINIZIP}/unzip.c ${VGSIM_MINIZIP}/zip.c)
target_include_directories(minizip SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/minizip)
target_compile_definitions(minizip PRIVATE NOCRYPT USE_FILE32API)
target_link_libraries(minizip PUBLIC ZLIB::ZLIB)

foreach(library vgsim_fmt vgsim_pugixml vgsim_zlib minizip hwloc)
  target_compile_options(${library} PRIVATE -w)
  set_target_properties(${library} PROPERTIES UNITY_BUILD OFF)
endforeach()
