# What measures Neatline and holds it against public suites, as programs over the same archives. They are not part of `all`:
#
#   cmake --build build --target neatline-conformance neatline-bench
neat_program(neatline-conformance NeatlineConformance EXCLUDE_FROM_ALL)
target_link_libraries(neatline-conformance PRIVATE Neatline)

add_library(CAllocationCount STATIC EXCLUDE_FROM_ALL Sources/CAllocationCount/allocation_count.c)
set_target_properties(CAllocationCount PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(CAllocationCount PUBLIC ${PROJECT_SOURCE_DIR}/Sources/CAllocationCount/include)
neat_floor(ExpressionOracle Neatline)
set_target_properties(ExpressionOracle PROPERTIES EXCLUDE_FROM_ALL ON)
neat_program(neatline-bench NeatlineBench EXCLUDE_FROM_ALL)
target_link_libraries(neatline-bench PRIVATE Neatline ExpressionOracle CAllocationCount)

set_target_properties(neatline-conformance neatline-bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin SKIP_BUILD_RPATH ON)
