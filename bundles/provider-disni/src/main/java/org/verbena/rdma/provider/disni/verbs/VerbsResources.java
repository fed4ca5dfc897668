package org.verbena.rdma.provider.disni.verbs;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Outcome;
import org.verbena.rdma.provider.disni.upcalls.EventThread;
import org.verbena.rdma.spi.CompletionUpcalls;

/**
 * What the verbs objects of an open device are made with: a context of our own, and the thread that waits for completion
 * events. librdmacm has a context of its own, which our queue pairs do not need, since we move them ourselves.
 *
 * @param natives the natives
 * @param context the context of the device
 * @param completionChannel where the device tells of completions
 * @param completionEvents what is done with that
 * @param completionThread waits for it
 * @param workQueues finds queues by native numbers
 */
public record VerbsResources(
        VerbsNatives natives,
        long context,
        long completionChannel,
        CompletionEvents completionEvents,
        EventThread completionThread,
        WorkQueues workQueues) {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsResources.class);

    /**
     * Opens a device.
     *
     * @param natives the natives
     * @param name the name of the device
     * @return what its verbs objects are made with
     * @throws RdmaException if it cannot be opened
     */
    public static VerbsResources open(VerbsNatives natives, String name) throws RdmaException {
        long context = Outcome.check(natives.openDevice(name), "opening device " + name);
        long channel = 0;
        try {
            channel = Outcome.check(natives.createCompletionChannel(context), "making a completion channel");
            CompletionEvents events = new CompletionEvents(natives, channel);
            EventThread thread = EventThread.start("verbena-" + name + "-completions", natives, events);
            return new VerbsResources(natives, context, channel, events, thread, new WorkQueues());
        } catch (RdmaException failed) {
            if (channel != 0) {
                natives.destroyCompletionChannel(channel);
            }
            natives.closeDevice(context);
            throw failed;
        }
    }

    /** Closes the device; everything made on it was closed before. */
    public void close() {
        completionThread.stop();
        check(natives.destroyCompletionChannel(completionChannel), "completion channel");
        check(natives.closeDevice(context), "device");
    }

    /**
     * Makes a protection domain.
     *
     * @return a new domain
     * @throws RdmaException if the device refuses
     */
    public DisniProtectionDomain createProtectionDomain() throws RdmaException {
        return new DisniProtectionDomain(
                this, Outcome.check(natives.allocateDomain(context), "making a protection domain"));
    }

    /**
     * Makes a completion queue.
     *
     * @param entries how many completions it must hold
     * @param upcalls where to tell of completions
     * @return a new queue
     * @throws RdmaException if the device refuses
     */
    public DisniCompletionQueue createCompletionQueue(int entries, CompletionUpcalls upcalls) throws RdmaException {
        return DisniCompletionQueue.create(this, entries, upcalls);
    }

    private static void check(int result, String what) {
        if (result != 0) {
            LOG.warn("a {} could not be closed: {}", what, Outcome.error(result).sentence());
        }
    }
}
