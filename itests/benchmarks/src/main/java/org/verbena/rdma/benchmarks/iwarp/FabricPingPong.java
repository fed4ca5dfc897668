package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.verbena.rdma.benchmarks.Effort;

/** {@code fi_pingpong} of libfabric over its provider tcp. Half of a round trip, a mean: it tells no more. */
final class FabricPingPong implements Contender {
    private static final Program PROGRAM = new Program("fi_pingpong", "libfabric-bin", Map.of());
    private static final int ITERATIONS = 50_000;

    private final int size;
    private Effort effort;

    FabricPingPong(int size) {
        this.size = size;
    }

    @Override
    public String name() {
        return PROGRAM.name() + " -p tcp";
    }

    @Override
    public String missing() {
        return PROGRAM.missing();
    }

    @Override
    public void prepare(Effort chosen) {
        effort = chosen;
    }

    @Override
    public double measure() throws IOException, InterruptedException {
        String port = Integer.toString(UcxPerftest.freePort());
        String iterations = Integer.toString(effort.of(ITERATIONS));
        List<String> common = List.of("-p", "tcp", "-e", "msg", "-S", Integer.toString(size), "-I", iterations);
        String said = PROGRAM.run(
                with(common, List.of("-B", port)),
                with(common, List.of("-P", port, Sockets.LOOPBACK.getHostAddress())));
        // bytes #sent #ack total time MB/sec usec/xfer Mxfers/sec
        String[] lines = said.strip().split("\n");
        String[] columns = lines[lines.length - 1].strip().split("\\s+");
        if (columns.length != 8) {
            throw new IOException("fi_pingpong says something else than expected: " + said);
        }
        return Double.parseDouble(columns[6]);
    }

    private static List<String> with(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
