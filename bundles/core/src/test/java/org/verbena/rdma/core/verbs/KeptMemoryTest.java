package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeptMemoryTest {
    @Test
    @DisplayName("C19: memory that is kept outlives core, and does not keep the classes of core alive")
    void keepsMemoryOnly() throws Exception {
        WeakReference<ByteBuffer> buffer = new WeakReference<>(ByteBuffer.allocateDirect(64));

        WeakReference<ClassLoader> core = keep(buffer);

        await().until(() -> {
            System.gc();
            return core.get() == null;
        });
        assertThat(buffer.get()).isNotNull();
    }

    /** As core would, if it was loaded by a framework and gone afterwards. */
    private static WeakReference<ClassLoader> keep(WeakReference<ByteBuffer> buffer) throws Exception {
        URL classes = KeptMemory.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader bundle = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Method keep = bundle.loadClass(KeptMemory.class.getName()).getDeclaredMethod("keep", List.class);
            keep.setAccessible(true);
            keep.invoke(null, List.of(buffer.get()));
            return new WeakReference<>(bundle);
        }
    }
}
