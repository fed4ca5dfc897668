// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture.goodexamples.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.osgi.framework.ServiceRegistration;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.spi.ProviderDevice;

/** What looks like bad locking and is not. */
public class GoodLocking {
    private final Lock lock = new ReentrantLock();
    private final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    private final List<ProviderDevice> devices = new ArrayList<>();
    private EventHandler handler;

    public void copyThenCall() {
        List<ProviderDevice> copy;
        synchronized (this) {
            copy = List.copyOf(devices);
            devices.clear();
        }
        copy.forEach(ProviderDevice::close);
    }

    public void unlockThenCall(CmEvent event) throws Exception {
        EventHandler now;
        lock.lock();
        try {
            now = handler;
            if (now == null) {
                return;
            }
        } finally {
            lock.unlock();
        }
        now.onEvent(event);
    }

    public void callWhereTheLockWasNotGot(ProviderDevice device) {
        if (!lock.tryLock()) {
            device.close();
            return;
        }
        lock.unlock();
    }

    public void sharedLock(ProviderDevice device) {
        readWrite.readLock().lock();
        try {
            device.close();
        } finally {
            readWrite.readLock().unlock();
        }
    }

    public synchronized void later(Executor dispatcher, ProviderDevice device) {
        dispatcher.execute(() -> device.close());
    }

    public synchronized Object reference(ServiceRegistration<?> registration) {
        return registration.getReference();
    }

    public void throwsUnderLock(ProviderDevice device) {
        try {
            synchronized (this) {
                if (devices.isEmpty()) {
                    throw new IllegalStateException("none");
                }
            }
        } catch (IllegalStateException e) {
            device.close();
        }
    }
}
