package org.verbena.rdma.rping.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.Access;
import org.verbena.rdma.CompletionQueue;
import org.verbena.rdma.MemoryRegion;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.ConnectionManager;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler.Verdict;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.rping.perf.PerfClient;
import org.verbena.rdma.rping.perf.PerfSettings;
import org.verbena.rdma.rping.run.Console;
import org.verbena.rdma.rping.wire.PingFailedException;

class PerfCommandTest {
    private final LoopbackBench bench = new LoopbackBench();
    private final Session session = bench.core.openSession("org.verbena.rdma.rping", -1, CmVersion.CURRENT);
    private final PerfCommand perf = new PerfCommand(bench.core.connectionManager(session));
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void close() {
        perf.deactivate();
        bench.core.endSession(session);
        bench.close();
    }

    private int run(String... arguments) throws InterruptedException {
        return perf.run(List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    }

    private CompletableFuture<Integer> inBackground(String... arguments) {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        new Thread(
                        () -> {
                            try {
                                status.complete(run(arguments));
                            } catch (InterruptedException | RuntimeException e) {
                                status.completeExceptionally(e);
                            }
                        },
                        "perf")
                .start();
        return status;
    }

    private String output() {
        return out.toString(UTF_8);
    }

    @Test
    void bothEndsMeasureLatencyAndBandwidth() throws Exception {
        assertThat(run("-a", LoopbackBench.ADDRESS, "-t", "2"))
                .as(err.toString(UTF_8))
                .isZero();

        assertThat(output())
                .containsPattern("latency: 1 s of 2 s")
                .containsPattern("latency of 64-byte messages, there and back: [0-9]+ in [0-9.]+ s")
                .containsPattern("min [0-9.]+ us  50% [0-9.]+ us  90% .* 99.99% [0-9.]+ us  max [0-9.]+ us")
                .containsPattern("below [0-9.]+ us +#+ [0-9]+")
                .containsPattern("bandwidth of 65536-byte writes: [0-9.]+ MiB/s, [0-9.]+ Gbit/s, [0-9]+ in [0-9.]+ s");
        await().until(() -> bench.monitor().snapshot().devices().stream()
                .allMatch(device -> device.verbsObjects().isEmpty()));
    }

    @Test
    void aServerServesClientsUntilItIsStopped() throws Exception {
        CompletableFuture<Integer> server = inBackground("-s", "-a", LoopbackBench.ADDRESS, "-p", "0");
        await().atMost(Duration.ofSeconds(60)).until(() -> output().contains("listening on"));
        String port = output().lines().findFirst().orElseThrow().replaceFirst(".* port ", "");

        assertThat(run("-c", "-a", LoopbackBench.ADDRESS, "-p", port, "-t", "1", "-B", "0"))
                .isZero();
        assertThat(run("-c", "-a", LoopbackBench.ADDRESS, "-p", port, "-t", "1", "-S", "0", "-D", "1"))
                .isZero();

        assertThat(output()).contains("latency of 64-byte").contains("bandwidth of 65536-byte");
        assertThat(server).isNotDone();
        perf.deactivate();
        assertThat(server.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    }

    @Test
    void aDevicePulledUnderMeasurementIsSaid() throws Exception {
        CompletableFuture<Integer> measuring = inBackground("-a", LoopbackBench.ADDRESS, "-t", "600");
        await().atMost(Duration.ofSeconds(60)).until(() -> output().contains("latency: 1 s"));

        bench.unplug();

        assertThat(measuring.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(err.toString(UTF_8)).startsWith("perf: ");
    }

    @Test
    void whatMakesNoSenseIsOneSentence() throws Exception {
        assertThat(run("-c")).isEqualTo(1);
        assertThat(run("-t", "0")).isEqualTo(1);
        assertThat(run("-s", "-c")).isEqualTo(2);
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString(UTF_8).lines()).hasSize(4).allSatisfy(line -> assertThat(line)
                .startsWith("perf: "));
        assertThat(run("--help")).isZero();
    }

    @Test
    void whereNobodyListensIsSaid() throws Exception {
        assertThat(run("-c", "-a", LoopbackBench.ADDRESS, "-p", "1")).isEqualTo(1);
        assertThat(err.toString(UTF_8)).contains("nobody listens");
    }

    @Test
    void aServerThatIsNoPerfIsSaid() throws Exception {
        RunningRping server = new RunningRping(bench.activate(), "-s -P -a " + LoopbackBench.ADDRESS + " -p 0");

        assertThat(run("-c", "-a", LoopbackBench.ADDRESS, "-p", server.port())).isEqualTo(1);

        assertThat(err.toString(UTF_8)).contains("the server is none of perf");
        server.interrupt();
    }

    @Test
    void aServerThatFallsSilentIsSaid() throws Exception {
        ConnectionManager connectionManager = bench.core.connectionManager(session);
        CmId listener = connectionManager.createId(PortSpace.TCP, event -> {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                acceptAndBeSilent(event.id());
            }
            return Verdict.KEEP;
        });
        listener.bindAddress(new InetSocketAddress(LoopbackBench.ADDRESS, 0));
        listener.listen(0);
        PerfSettings settings = new PerfSettings(listener.localAddress(), 64, 0, 1, Duration.ofHours(1));
        Console console =
                new Console("perf", new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);

        assertThatThrownBy(() -> new PerfClient(connectionManager, settings, console, Duration.ofSeconds(1)).run())
                .isInstanceOf(PingFailedException.class)
                .hasMessage("the peer has not answered for 1 s");
    }

    /** Takes what the client sends, and sends nothing back. */
    private static void acceptAndBeSilent(CmId id) throws RdmaException {
        ProtectionDomain domain = id.device().createProtectionDomain();
        MemoryRegion region = domain.registerMemory(ByteBuffer.allocateDirect(64), Set.of(Access.LOCAL_WRITE));
        CompletionQueue completions = id.device().createCompletionQueue(4, null);
        QueuePair queuePair = id.createQueuePair(domain, QueuePairConfiguration.reliable(completions));
        queuePair.postReceive(domain.createReceiveWorkRequest(1).segment(region, 0, 64));
        id.accept(ConnectionParameters.defaults().withPrivateData(ByteBuffer.allocate(12)));
    }
}
