# libneatline.a: all floors, the exported functions and what they need of the Swift runtime, linked into one object whose other symbols are local.
# A program links it with what `pkg-config --static --libs neatline` says behind -lneatline, or with the CMake target Neatline::neatline-static.

find_program(NEATLINE_LD NAMES ld.bfd ld REQUIRED)
cmake_path(GET CMAKE_Swift_COMPILER PARENT_PATH swift_bin)
set(swift_static ${swift_bin}/../lib/swift_static/linux)
set(NEATLINE_ARCHIVE ${PROJECT_BINARY_DIR}/libneatline.a)

set(floor_archives "$<TARGET_FILE:NeatABI>")
foreach(floor IN LISTS NEATLINE_FLOORS)
  list(APPEND floor_archives "$<TARGET_FILE:${floor}>")
endforeach()

add_custom_command(OUTPUT ${NEATLINE_ARCHIVE}
  COMMAND ${NEATLINE_LD} -r --wrap=swift_slowAlloc -o libneatline.o
    ${swift_static}/${CMAKE_SYSTEM_PROCESSOR}/swiftrt.o
    --whole-archive ${floor_archives} --no-whole-archive
    --start-group ${swift_static}/libswiftCore.a ${swift_static}/libswiftSynchronization.a
    ${swift_static}/libswift_Concurrency.a ${swift_static}/libswiftGlibc.a ${swift_static}/libswift_StringProcessing.a ${swift_static}/libswift_RegexParser.a
    ${swift_static}/libdispatch.a ${swift_static}/libBlocksRuntime.a --end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=neat_* libneatline.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${NEATLINE_ARCHIVE}
  COMMAND ${CMAKE_AR} rcs ${NEATLINE_ARCHIVE} libneatline.o
  COMMAND ${CMAKE_COMMAND} -E rm -f libneatline.o
  DEPENDS NeatABI ${NEATLINE_FLOORS}
  COMMENT "Linking libneatline.a" VERBATIM)
add_custom_target(neatline-static ALL DEPENDS ${NEATLINE_ARCHIVE})

add_library(NeatlineStatic STATIC IMPORTED GLOBAL)
set_target_properties(NeatlineStatic PROPERTIES IMPORTED_LOCATION ${NEATLINE_ARCHIVE} INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(NeatlineStatic INTERFACE ${NEATLINE_SYSTEM_LIBRARIES} stdc++ m pthread dl)
add_dependencies(NeatlineStatic neatline-static)
add_library(Neatline::neatline-static ALIAS NeatlineStatic)
