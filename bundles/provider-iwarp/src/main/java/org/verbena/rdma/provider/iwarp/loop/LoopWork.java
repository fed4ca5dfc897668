package org.verbena.rdma.provider.iwarp.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Work that any thread hands to a loop again and again without an object for it: it is its own link in the loop's list.
 * However often it was handed over before the loop came to it, it runs once.
 *
 * <p>{@code pending} is atomic; {@code next} belongs to whoever has set {@code pending}, then to the loop.
 */
public abstract class LoopWork {
    private static final VarHandle PENDING;

    static {
        try {
            PENDING = MethodHandles.lookup().findVarHandle(LoopWork.class, "pending", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    LoopWork next;
    private volatile boolean pending;

    /** Called on the loop, in a turn of its own. */
    protected abstract void run();

    final boolean claim() {
        return !pending && PENDING.compareAndSet(this, false, true);
    }

    final void perform() {
        next = null;
        // A volatile write, before run() looks for what is to do: what is handed over from now on comes again.
        pending = false;
        run();
    }
}
