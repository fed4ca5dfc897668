package org.verbena.rdma.itests.schedules;

/**
 * One place of core, broken on purpose.
 *
 * @param source the file below core's sources
 * @param original a text that is there exactly once
 * @param broken what to put in its place
 */
record Break(String source, String original, String broken) {
    static Break of(String source, String original, String broken) {
        return new Break("org/verbena/rdma/core/" + source + ".java", original, broken);
    }
}
