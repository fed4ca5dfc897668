package org.verbena.rdma.examples.mirror;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes the upcalls of a device, one at a time and in order, with no lock of the provider. All fields are guarded by this
 * object's monitor, which is not held during an upcall.
 */
final class UpcallThread implements Runnable {
    /** Something to tell, and the object that it is about. */
    private record Upcall(Object about, Runnable call) {}

    private final Deque<Upcall> waiting = new ArrayDeque<>();
    private final Thread thread;
    private Object running;
    private boolean ended;

    UpcallThread(String device) {
        thread = new Thread(this, device + ": upcalls");
        thread.setDaemon(true);
        thread.start();
    }

    synchronized void raise(Object about, Runnable call) {
        waiting.add(new Upcall(about, call));
        notifyAll();
    }

    /** No upcall about this object is made any more when this has returned. An upcall never blocks: this is short. */
    synchronized void cancel(Object about) {
        waiting.removeIf(upcall -> upcall.about() == about);
        boolean interrupted = false;
        while (running == about && Thread.currentThread() != thread) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public void run() {
        for (Upcall next = next(); next != null; next = next()) {
            try {
                next.call().run();
            } catch (RuntimeException | Error broken) {
                // Core lets nothing out of an upcall; should it, those after this one are owed all the same.
                thread.getUncaughtExceptionHandler().uncaughtException(thread, broken);
            } finally {
                over();
            }
        }
    }

    private synchronized Upcall next() {
        while (waiting.isEmpty() && !ended) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Nobody interrupts it; what is there to be told is told.
            }
        }
        Upcall next = ended ? null : waiting.remove();
        running = next == null ? null : next.about();
        return next;
    }

    private synchronized void over() {
        running = null;
        notifyAll();
    }
}
