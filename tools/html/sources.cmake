# Source packages of Debian 12 whose libraries have no headers alone: downloaded once into
# VGSIM_SOURCES, checked by their SHA-256, and unpacked. Sets VGSIM_PUGIXML, VGSIM_ZLIB,
# VGSIM_MINIZIP and VGSIM_HWLOC.

set(VGSIM_SOURCES ${CMAKE_BINARY_DIR}/sources CACHE PATH "Downloaded source archives")
set(VGSIM_SOURCES_MIRROR https://deb.debian.org/debian CACHE STRING "Where they are")

function(vgsim_source variable path hash folder)
  get_filename_component(archive ${path} NAME)
  set(file ${VGSIM_SOURCES}/${archive})
  if(NOT EXISTS ${VGSIM_SOURCES}/${folder})
    if(NOT EXISTS ${file})
      foreach(mirror ${VGSIM_SOURCES_MIRROR} http://deb.debian.org/debian
          https://snapshot.debian.org/archive/debian/20250520T000000Z)
        message(STATUS "Downloading ${mirror}/${path}")
        file(DOWNLOAD ${mirror}/${path} ${file}.part STATUS status TIMEOUT 120)
        list(GET status 0 failed)
        if(NOT failed)
          file(RENAME ${file}.part ${file})
          break()
        endif()
        file(REMOVE ${file}.part)
      endforeach()
    endif()
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "${path} cannot be downloaded: put the file into ${VGSIM_SOURCES}")
    endif()
    file(SHA256 ${file} found)
    if(NOT found STREQUAL hash)
      file(REMOVE ${file})
      message(FATAL_ERROR "${archive} has the SHA-256 ${found} instead of ${hash}")
    endif()
    file(ARCHIVE_EXTRACT INPUT ${file} DESTINATION ${VGSIM_SOURCES})
  endif()
  set(${variable} ${VGSIM_SOURCES}/${folder} PARENT_SCOPE)
endfunction()

vgsim_source(VGSIM_PUGIXML pool/main/p/pugixml/pugixml_1.13.orig.tar.gz
  5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1 pugixml-1.13)
vgsim_source(VGSIM_ZLIB pool/main/z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2
  71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1 zlib-1.2.13.dfsg)
set(VGSIM_MINIZIP ${VGSIM_ZLIB}/contrib/minizip)
vgsim_source(VGSIM_HWLOC pool/main/h/hwloc/hwloc_2.9.0.orig.tar.bz2
  b3fb1a43a14d8fbcd8e976de5ede2ea7ce1d768ed173adb33c7ceaaf098dc970 hwloc-2.9.0)

# What hwloc's configure would write for a machine without an operating system and 32-bit pointers.
set(hwloc_facts
  "HWLOC_VERSION \"2.9.0\"" "HWLOC_VERSION_MAJOR 2" "HWLOC_VERSION_MINOR 9" "HWLOC_VERSION_RELEASE 0"
  "HWLOC_VERSION_GREEK \"\"" "HWLOC_SYM_TRANSFORM 0" "HWLOC_SYM_PREFIX hwloc_" "HWLOC_SYM_PREFIX_CAPS HWLOC_"
  "HWLOC_HAVE_STDINT_H 1" "hwloc_pid_t int" "hwloc_thread_t unsigned long" "HWLOC_UNSUPPORTED_SYS 1"
  "HWLOC_SIZEOF_UNSIGNED_INT 4" "HWLOC_SIZEOF_UNSIGNED_LONG 4" "SIZEOF_UNSIGNED_INT 4"
  "SIZEOF_UNSIGNED_LONG 4" "SIZEOF_VOID_P 4" "HWLOC_HAVE_CORRECT_SNPRINTF 1" "HAVE_DECL_SNPRINTF 1"
  "HAVE_DECL_STRTOULL 1" "HAVE_DECL__STRDUP 0" "HAVE_DECL__PUTENV 0" "HAVE_DECL_MODFF 1" "HAVE_DECL_FABSF 1" "HWLOC_HAVE_PTHREAD_MUTEX 1")
foreach(name CTYPE_H DIRENT_H INTTYPES_H LOCALE_H SETLOCALE STDINT_H STDIO_H STDLIB_H STRING_H STRINGS_H
    STRTOULL STRCASECMP STRNCASECMP SYS_MMAN_H SYS_PARAM_H SYS_STAT_H SYS_TYPES_H TIME_H UNISTD_H MKSTEMP
    SSIZE_T WCHAR_T)
  list(APPEND hwloc_facts "HAVE_${name} 1")
endforeach()
foreach(name FFS FFSL DECL_FFS DECL_FFSL STRCASECMP STRNCASECMP DECL_STRCASECMP DECL_STRNCASECMP)
  list(APPEND hwloc_facts "HWLOC_HAVE_${name} 1")
endforeach()
foreach(header hwloc private)
  file(READ ${VGSIM_HWLOC}/include/${header}/autogen/config.h.in text)
  foreach(fact IN LISTS hwloc_facts)
    string(REGEX MATCH "^[^ ]+" name "${fact}")
    string(REGEX REPLACE "#( *)undef ${name}\n" "#define ${fact}\n" text "${text}")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/hwloc/${header}/autogen/config.h CONTENT "${text}" @ONLY)
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/hwloc/static-components.h CONTENT
"HWLOC_DECLSPEC extern const struct hwloc_component hwloc_noos_component;
HWLOC_DECLSPEC extern const struct hwloc_component hwloc_xml_component;
HWLOC_DECLSPEC extern const struct hwloc_component hwloc_xml_nolibxml_component;
HWLOC_DECLSPEC extern const struct hwloc_component hwloc_synthetic_component;
static const struct hwloc_component* hwloc_static_components[] = {&hwloc_noos_component,
  &hwloc_xml_component, &hwloc_xml_nolibxml_component, &hwloc_synthetic_component, NULL};
")
