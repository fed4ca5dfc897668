package org.verbena.rdma.provider.disni.upcalls;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

class DaemonThreadTest {
    @Test
    void keepsNothingOfWhoHasCausedIt() throws Exception {
        Thread creator = Thread.currentThread();
        ClassLoader before = creator.getContextClassLoader();
        Thread made;
        try (URLClassLoader consumers = new URLClassLoader(new URL[0])) {
            creator.setContextClassLoader(consumers);
            made = DaemonThread.make(() -> {}, "test");
        } finally {
            creator.setContextClassLoader(before);
        }

        assertThat(made.getContextClassLoader()).isSameAs(DaemonThread.class.getClassLoader());
        assertThat(made.isDaemon()).isTrue();
        assertThat(made.getState()).isEqualTo(Thread.State.NEW);
    }
}
