package org.verbena.rdma.provider.iwarp.recording;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.spi.CounterSink;
import org.verbena.rdma.spi.ProviderQueuePair;

/**
 * Where to tell what a flight recording shall have of devices and connections. Shared by all threads; an event that nobody
 * records costs next to nothing.
 */
public interface Recorder {
    /** The recorder of this JVM; one that does nothing where there is none, or a framework does not offer it. */
    static Recorder ofThisMachine() {
        try {
            return FlightRecorderLoader.load();
        } catch (ReflectiveOperationException | LinkageError e) {
            Logger log = LoggerFactory.getLogger(Recorder.class);
            log.debug("There is no Java Flight Recorder here", e);
            return new Recorder() {};
        }
    }

    /**
     * A Terminate was sent or has come.
     *
     * @param device the name of the device
     * @param peer whom it was sent to, or who has sent it
     * @param sent whether this side has sent it
     * @param code layer, error type and error code, as the upper half of the terminate control carries them
     */
    default void terminated(String device, InetSocketAddress peer, boolean sent, int code) {}

    /**
     * A connection has ended.
     *
     * @param device the name of the device
     * @param local its own address
     * @param peer the address of the peer
     * @param status how
     * @param queuePair what has counted its traffic
     */
    default void ended(
            String device,
            InetSocketAddress local,
            InetSocketAddress peer,
            RdmaError status,
            ProviderQueuePair queuePair) {}

    /**
     * Records what a device counts, now and then.
     *
     * @param device the name of the device
     * @param counters tells the counters; what is told twice is added up; called by a thread of the recorder
     * @return what ends that
     */
    default Runnable record(String device, Consumer<CounterSink> counters) {
        return () -> {};
    }
}
