package org.verbena.rdma.core.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.core.dispatch.Dispatcher;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.recording.Recorder;
import org.verbena.rdma.core.scripted.ScriptedDevice;

/** Calls into a provider on a thread whose stack ends just there. */
class StackTest {
    private static final int DEPTHS = 400;

    private final Dispatcher dispatcher = new Dispatcher(() -> 4, () -> 60_000, Recorder.NONE);
    private final Guard guard = new Guard();
    private final Device device = new Device(
            new ScriptedDevice("d0", "192.0.2.1"),
            "d0",
            new DeviceRank(0, 1),
            new Device.Services(guard, (owner, listener) -> {}, changed -> {}, dispatcher.core(), dispatcher.timer()));

    @AfterEach
    void stop() {
        dispatcher.close();
    }

    @Test
    @DisplayName("C9: a thread whose stack ends in a call is not inside the provider when it has left the call")
    void stackEnds() throws InterruptedException {
        List<String> left = new CopyOnWriteArrayList<>();
        Thread thread = new Thread(null, () -> left.addAll(callEverywhere()), "deep", 512 * 1024);
        thread.start();
        thread.join();

        assertThat(left).isEmpty();
    }

    private List<String> callEverywhere() {
        List<String> left = new ArrayList<>();
        int deepest = dive(Integer.MAX_VALUE);
        for (int depth = Math.max(0, deepest - DEPTHS); depth < deepest + 20; depth++) {
            dive(depth);
            for (Guard.Inside inside : guard.inside(device.gate())) {
                left.add(depth + " of " + deepest + ": " + inside);
                guard.exit();
            }
        }
        return left;
    }

    /** Goes down and calls the provider there; tells how deep it has come. */
    private int dive(int depth) {
        int[] reached = new int[1];
        try {
            dive(depth, reached);
        } catch (StackOverflowError expected) {
            return reached[0];
        }
        return reached[0];
    }

    private void dive(int depth, int[] reached) {
        reached[0]++;
        if (reached[0] < depth) {
            dive(depth, reached);
            return;
        }
        try {
            device.call(() -> null);
        } catch (RdmaException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
