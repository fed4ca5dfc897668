package org.verbena.rdma.provider.iwarp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.rdma.Access;
import org.verbena.rdma.provider.iwarp.loop.EventLoops;

class StagTableTest {
    private static final int COUNT = 4_096;
    private EventLoops loops;
    private StagTable stags;
    private IwarpProtectionDomain domain;

    @BeforeEach
    void open() throws Exception {
        loops = EventLoops.start("stags", 1, Duration.ZERO);
        stags = new StagTable(loops);
        domain = new IwarpProtectionDomain(stags);
    }

    @AfterEach
    void close() {
        loops.stop();
    }

    private List<RegisteredMemory> register(int count) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        List<RegisteredMemory> memories = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            memories.add(stags.register(domain, buffer, EnumSet.allOf(Access.class)));
        }
        return memories;
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("memory that is closed, but not yet taken out when the table is laid out anew, can be taken out")
    void closedMeanwhile() throws Exception {
        RegisteredMemory closing = register(1).get(0);
        // What its close does before it gets the lock.
        closing.markClosed();
        register(COUNT);

        stags.remove(closing);

        assertThat(stags.find(closing.remoteKey())).isNull();
    }

    @Test
    @DisplayName("nothing about an STag or a tagged offset can be guessed from others: each bit is a coin of its own")
    void unguessable() throws Exception {
        List<RegisteredMemory> memories = register(COUNT);
        int[] keyBits = new int[32];
        int[] changedBits = new int[32];
        int[] offsetBits = new int[50];
        Set<Integer> keys = new HashSet<>();
        Set<Integer> steps = new HashSet<>();
        int before = 0;
        for (RegisteredMemory memory : memories) {
            int key = memory.remoteKey();
            keys.add(key);
            steps.add(key - before);
            for (int bit = 0; bit < 32; bit++) {
                keyBits[bit] += key >>> bit & 1;
                changedBits[bit] += (key ^ before) >>> bit & 1;
            }
            for (int bit = 0; bit < 50; bit++) {
                offsetBits[bit] += (int) (memory.remoteAddress() >>> 12 + bit & 1);
            }
            before = key;
        }

        assertThat(keys).hasSize(COUNT).doesNotContain(0);
        assertThat(steps).hasSizeGreaterThan(COUNT - 10);
        // Ten standard deviations: no honest coin fails, none that is loaded passes.
        assertThat(Arrays.stream(keyBits)).allMatch(StagTableTest::isFair);
        assertThat(Arrays.stream(changedBits)).allMatch(StagTableTest::isFair);
        assertThat(Arrays.stream(offsetBits)).allMatch(StagTableTest::isFair);
    }

    private static boolean isFair(int heads) {
        return Math.abs(heads - COUNT / 2) < 10 * Math.sqrt(COUNT) / 2;
    }

    @Test
    @DisplayName("each STag finds its memory until that is closed, however many come and go")
    void find() throws Exception {
        List<RegisteredMemory> memories = register(1_000);
        for (int i = 0; i < memories.size(); i += 2) {
            memories.get(i).close();
        }
        List<RegisteredMemory> later = register(1_000);
        for (int i = 0; i < memories.size(); i++) {
            RegisteredMemory memory = memories.get(i);
            assertThat(stags.find(memory.remoteKey())).isSameAs(i % 2 == 0 ? null : memory);
        }
        for (RegisteredMemory memory : later) {
            assertThat(stags.find(memory.remoteKey())).isSameAs(memory);
            memory.close();
            assertThat(stags.find(memory.remoteKey())).isNull();
        }
    }
}
