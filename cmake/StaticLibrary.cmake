# libneatline.a: all floors, the exported functions and what they need of the Swift runtime, linked into one object whose other symbols are local.
# A program links it with the libraries of neatline.pc's Requires.private and with stdc++, m, pthread and dl.

find_program(NEATLINE_LD NAMES ld.bfd ld REQUIRED)
cmake_path(GET CMAKE_Swift_COMPILER PARENT_PATH swift_bin)
set(swift_static ${swift_bin}/../lib/swift_static/linux)
set(NEATLINE_ARCHIVE ${PROJECT_BINARY_DIR}/libneatline.a)

add_library(NeatABIStatic STATIC ${abi_sources})
neat_swift_options(NeatABIStatic NeatABI)
target_link_libraries(NeatABIStatic PUBLIC ${NEATLINE_FLOORS})

set(floor_archives "$<TARGET_FILE:NeatABIStatic>")
foreach(floor IN LISTS NEATLINE_FLOORS)
  list(APPEND floor_archives "$<TARGET_FILE:${floor}>")
endforeach()

add_custom_command(OUTPUT ${NEATLINE_ARCHIVE}
  COMMAND ${NEATLINE_LD} -r -o libneatline.o
    ${swift_static}/${CMAKE_SYSTEM_PROCESSOR}/swiftrt.o
    --whole-archive ${floor_archives} --no-whole-archive
    --start-group ${swift_static}/libswiftCore.a ${swift_static}/libswiftSynchronization.a
    ${swift_static}/libswift_Concurrency.a ${swift_static}/libswiftGlibc.a ${swift_static}/libswift_StringProcessing.a
    ${swift_static}/libdispatch.a ${swift_static}/libBlocksRuntime.a --end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=neat_* libneatline.o
  COMMAND ${CMAKE_COMMAND} -E rm -f ${NEATLINE_ARCHIVE}
  COMMAND ${CMAKE_AR} rcs ${NEATLINE_ARCHIVE} libneatline.o
  COMMAND ${CMAKE_COMMAND} -E rm -f libneatline.o
  DEPENDS NeatABIStatic ${NEATLINE_FLOORS}
  COMMENT "Linking libneatline.a" VERBATIM)
add_custom_target(neatline-static ALL DEPENDS ${NEATLINE_ARCHIVE})
