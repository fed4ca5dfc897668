package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.verbena.rdma.benchmarks.Effort;

/** {@code ucx_perftest} of UCX over TCP on the loopback interface; it polls. */
final class UcxPerftest implements Contender {
    private static final Program PROGRAM =
            new Program("ucx_perftest", "ucx-utils", Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo"));
    private static final String FIRST_COLUMN = "iterations,";

    private final List<String> test;
    private final int iterations;
    private final String column;
    private Effort effort;

    private UcxPerftest(List<String> test, int iterations, String column) {
        this.test = test;
        this.iterations = iterations;
        this.column = column;
    }

    /** Half of a round trip in microseconds, the median. */
    static UcxPerftest latency(int size) {
        return new UcxPerftest(List.of("-t", "tag_lat", "-s", Integer.toString(size)), 50_000, "50.0_percentile_lat");
    }

    /** MiB per second of {@code ucp_put_bw} or {@code ucp_get}. */
    static UcxPerftest bandwidth(String test, int size, int outstanding) {
        List<String> arguments = List.of("-t", test, "-s", Integer.toString(size), "-O", Integer.toString(outstanding));
        return new UcxPerftest(arguments, (int) (1L << 30) / size, "overall_bw");
    }

    @Override
    public String name() {
        return PROGRAM.name() + " " + test.get(1);
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
        String port = Integer.toString(freePort());
        List<String> client = new ArrayList<>(List.of("127.0.0.1", "-p", port, "-f", "-v"));
        client.addAll(test);
        int count = effort.of(iterations);
        client.addAll(List.of("-n", Integer.toString(count), "-w", Integer.toString(Math.max(1, count / 10))));
        return figure(PROGRAM.run(List.of("-p", port), client));
    }

    /** Reads the last line of comma-separated values below their names. */
    private double figure(String said) throws IOException {
        String[] lines = said.strip().split("\n");
        for (int i = 0; i + 1 < lines.length; i++) {
            if (lines[i].startsWith(FIRST_COLUMN)) {
                int index = List.of(lines[i].split(",")).indexOf(column);
                if (index >= 0) {
                    return Double.parseDouble(lines[lines.length - 1].split(",")[index]);
                }
            }
        }
        throw new IOException("ucx_perftest says no " + column + ": " + said);
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, Sockets.LOOPBACK)) {
            return socket.getLocalPort();
        }
    }
}
