// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture.badexamples.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.spi.ProviderDevice;

/** What must never stand in core: each method, named for what is wrong with it, is one way to hold a lock too long. */
public class BadLocking {
    private final Lock lock = new ReentrantLock();
    private final StampedLock stamped = new StampedLock();
    private final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    private final Deeper deeper = new Deepest();

    public synchronized void synchronizedMethod(EventHandler handler, CmEvent event) throws Exception {
        handler.onEvent(event);
    }

    public void synchronizedBlock(EventHandler handler, CmEvent event) throws Exception {
        synchronized (this) {
            handler.onEvent(event);
        }
    }

    public void exclusiveLock(ProviderDevice device) {
        lock.lock();
        try {
            device.close();
        } finally {
            lock.unlock();
        }
    }

    public void triedLock(ProviderDevice device) {
        if (lock.tryLock()) {
            try {
                device.close();
            } finally {
                lock.unlock();
            }
        }
    }

    public void writeLock(ProviderDevice device) {
        readWrite.writeLock().lock();
        try {
            device.close();
        } finally {
            readWrite.writeLock().unlock();
        }
    }

    public void stampedLock(ProviderDevice device) {
        long stamp = stamped.writeLock();
        try {
            device.close();
        } finally {
            stamped.unlockWrite(stamp);
        }
    }

    public synchronized void registration(ServiceRegistration<?> registration) {
        registration.unregister();
    }

    public synchronized void registry(BundleContext context) {
        context.registerService(Runnable.class, () -> {}, null);
    }

    public synchronized void completion(CompletableFuture<Void> destroyed) {
        destroyed.complete(null);
    }

    public synchronized void consumersRunnable(Runnable listener) {
        listener.run();
    }

    public synchronized void deep(ProviderDevice device) throws RdmaException {
        deeper.further(device);
    }

    public synchronized void inLambda(List<ProviderDevice> devices) {
        devices.forEach(device -> device.close());
    }

    public synchronized void inMethodReference(List<ProviderDevice> devices) {
        devices.forEach(ProviderDevice::close);
    }

    public synchronized void inLambdaOfOurs(ProviderDevice device) throws RdmaException {
        call(() -> device.createProtectionDomain());
    }

    public void afterRelock(ProviderDevice device) {
        lock.lock();
        lock.unlock();
        lock.lock();
        device.close();
        lock.unlock();
    }

    public void inFinally(ProviderDevice device) {
        lock.lock();
        try {
            device.addresses();
        } finally {
            device.close();
            lock.unlock();
        }
    }

    public void returnsLocked() {
        lock.lock();
    }

    private static void call(OurCall call) throws RdmaException {
        call.make();
    }

    /** A functional interface of the project's own. */
    @FunctionalInterface
    public interface OurCall {
        Object make() throws RdmaException;
    }

    /** Stands between the lock and the call. */
    public interface Deeper {
        void further(ProviderDevice device) throws RdmaException;
    }

    /** Makes the call. */
    public static class Deepest implements Deeper {
        @Override
        public void further(ProviderDevice device) throws RdmaException {
            device.createProtectionDomain();
        }
    }
}
