# Swift targets: one static library a floor, and what all of them are compiled with.

set(NEATLINE_SYSTEM_LIBRARIES "" CACHE INTERNAL "")
set(NEATLINE_PKG_CONFIG_NAMES "" CACHE INTERNAL "")

# Clang modules by their module maps: those of the system libraries, the conversions in C that are inlined into Swift, and the C header itself.
add_library(NeatlineModuleMaps INTERFACE)
target_compile_options(NeatlineModuleMaps INTERFACE
  "$<$<COMPILE_LANGUAGE:Swift>:-I${PROJECT_SOURCE_DIR}/include>"
  "$<$<COMPILE_LANGUAGE:Swift>:-I${PROJECT_SOURCE_DIR}/System/CNumber>")

# A system library with a module map in System/<name>.
function(neat_system_library name pkg_config)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${pkg_config})
  target_compile_options(NeatlineModuleMaps INTERFACE
    "$<$<COMPILE_LANGUAGE:Swift>:-I${PROJECT_SOURCE_DIR}/System/${name}>")
  foreach(directory IN LISTS ${name}_INCLUDE_DIRS)
    target_compile_options(NeatlineModuleMaps INTERFACE "$<$<COMPILE_LANGUAGE:Swift>:SHELL:-Xcc -I${directory}>")
  endforeach()
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE PkgConfig::${name})
  set(NEATLINE_SYSTEM_LIBRARIES ${NEATLINE_SYSTEM_LIBRARIES} ${name} CACHE INTERNAL "")
  set(NEATLINE_PKG_CONFIG_NAMES ${NEATLINE_PKG_CONFIG_NAMES} ${pkg_config} CACHE INTERNAL "")
endfunction()

# The Swift files of Sources/<name>.
function(neat_sources out name)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/Sources/${name}/*.swift)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# An object a source, made in several threads. (Without -num-threads a module would be one object, and the build
# tool, which looks for those of the sources, would compile it anew each time.)
cmake_host_system_information(RESULT NEATLINE_PROCESSORS QUERY NUMBER_OF_LOGICAL_CORES)

function(neat_swift_options target module)
  set_target_properties(${target} PROPERTIES
    Swift_MODULE_NAME ${module}
    Swift_MODULE_DIRECTORY ${PROJECT_BINARY_DIR}/modules/${target}
    POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    -wmo "SHELL:-num-threads ${NEATLINE_PROCESSORS}" -warnings-as-errors
    "SHELL:-package-name neatline" "SHELL:-swift-version 6"
    $<$<NOT:$<CONFIG:Debug>>:-O>)
  target_link_libraries(${target} PRIVATE NeatlineModuleMaps)
endfunction()

# An empty source that is as new as the archives of the floors below: CMake compiles a Swift library anew where its
# own sources are newer, and does not look at the modules that they import (before its policy CMP0157).
function(neat_below out name)
  set(archives "")
  foreach(below IN LISTS ARGN)
    get_target_property(type ${below} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND archives $<TARGET_FILE:${below}>)
    endif()
  endforeach()
  set(source ${PROJECT_BINARY_DIR}/below/${name}.swift)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/below
    COMMAND ${CMAKE_COMMAND} -E touch ${source}
    DEPENDS ${archives}
    COMMENT "")
  set(${out} ${source} PARENT_SCOPE)
endfunction()

# One floor: Sources/<name> with the floors and system libraries that it stands on.
function(neat_floor name)
  neat_sources(sources ${name})
  neat_below(below ${name} ${ARGN})
  add_library(${name} STATIC ${sources} ${below})
  neat_swift_options(${name} ${name})
  target_compile_options(${name} PRIVATE -parse-as-library)
  target_include_directories(${name} PUBLIC ${PROJECT_BINARY_DIR}/modules/${name})
  target_link_libraries(${name} PUBLIC ${ARGN})
endfunction()

# The Swift runtime's allocations, where it is linked in: Sources/CReserve stands behind them.
set(NEATLINE_RUNTIME_OPTIONS "SHELL:-Xlinker --wrap=swift_slowAlloc")

# A program of Sources/<module>, with the Swift runtime in its file.
function(neat_program name module)
  neat_sources(sources ${module})
  add_executable(${name} ${ARGN} ${sources})
  neat_swift_options(${name} ${module})
  target_link_options(${name} PRIVATE
    -static-stdlib ${NEATLINE_RUNTIME_OPTIONS} "SHELL:-Xlinker --gc-sections" "SHELL:-Xlinker --as-needed" $<$<CONFIG:Release,MinSizeRel>:SHELL:-Xlinker -s>)
endfunction()
