package org.verbena.rdma.provider.loopback.fault;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;
import org.verbena.rdma.LinkState;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/**
 * The faults of one device, and the account of how it is used. Both belong to the name: they may be set before the
 * device comes, and they outlive it. All methods may be called on any thread.
 *
 * <p>Of several failures for one kind of call, each is used once, in the order in which they were given, before one that
 * is for always. A call is held first, and fails afterwards. A call that fails has changed nothing; a close that fails
 * has closed all the same.
 */
@ProviderType
public interface DeviceFaults {
    /**
     * Holds all calls of a kind that begin from now on. It replaces an earlier hold for that kind, whose threads stay
     * until they are released.
     *
     * @param call the kind
     * @return the hold; it lasts until it is released
     */
    Hold hold(ProviderCall call);

    /**
     * Holds the next call of a kind, and no others.
     *
     * @param call the kind
     * @return the hold
     */
    Hold holdNext(ProviderCall call);

    /**
     * Lets the next call of a kind fail.
     *
     * @param call the kind; not a close and not READ
     * @param failure what it throws
     */
    void failNext(ProviderCall call, RdmaException failure);

    /**
     * Lets the next call of a kind throw what it should not.
     *
     * @param call the kind; not READ
     * @param failure what it throws
     */
    void failNext(ProviderCall call, RuntimeException failure);

    /**
     * Lets the next call of a kind throw what it should not.
     *
     * @param call the kind; not READ
     * @param failure what it throws
     */
    void failNext(ProviderCall call, Error failure);

    /**
     * Lets all calls of a kind fail.
     *
     * @param call the kind; not a close and not READ
     * @param failure what they throw
     */
    void failAlways(ProviderCall call, RdmaException failure);

    /**
     * Lets the next call of a kind begin well and have an error for its outcome.
     *
     * @param call RESOLVE, RESOLVE_ROUTE, CONNECT, ACCEPT or QUERY_PATH
     * @param error the error; TIMED_OUT makes the outcome of CONNECT "unreachable"
     */
    void failOutcomeOfNext(ProviderCall call, RdmaError error);

    /**
     * Makes no upcalls of a kind from now on: they are lost.
     *
     * @param upcall the kind; requests are refused
     */
    void suppress(ProviderUpcall upcall);

    /**
     * Makes upcalls of a kind twice from now on.
     *
     * @param upcall the kind; not REQUEST
     */
    void duplicate(ProviderUpcall upcall);

    /**
     * Keeps upcalls of a kind back from now on, so that they can be made late.
     *
     * @param upcall the kind
     * @return what is kept back
     */
    PostponedUpcalls postpone(ProviderUpcall upcall);

    /**
     * Ends what was asked for by {@link #suppress}, {@link #duplicate} or {@link #postpone}.
     *
     * @param upcall the kind
     */
    void upcallsAsUsual(ProviderUpcall upcall);

    /**
     * Takes the device away as a hand at the slot does: it says that it is gone, its calls fail, its connections break,
     * and it is unregistered on a thread of its own.
     *
     * @return completes when the unregistration has returned
     * @throws IllegalStateException if there is no such device
     */
    CompletionStage<Void> pullOut();

    /**
     * Says that the device is gone, and leaves the rest of {@link #pullOut()} for later or never.
     *
     * @throws IllegalStateException if there is no such device
     */
    void vanish();

    /**
     * Puts a device back that was pulled out: it is registered again, on the calling thread.
     *
     * @throws IllegalStateException if there is no such device, or it is registered or being unregistered
     */
    void putBack();

    /**
     * Changes the addresses of the device and tells of it.
     *
     * @param addresses the new ones
     * @throws IllegalStateException if there is no such device
     */
    void changeAddresses(List<InetAddress> addresses);

    /**
     * Changes the state of the link and tells of it.
     *
     * @param state the new state
     * @throws IllegalStateException if there is no such device
     */
    void changeLink(LinkState state);

    /**
     * Tells all listeners and endpoints of the device that the network behind their addresses has changed.
     *
     * @throws IllegalStateException if there is no such device
     */
    void changeNetwork();

    /**
     * Ends all connections of the device, and all attempts to make one, as a failure of the network does.
     *
     * @param error what its endpoints are told
     * @throws IllegalStateException if there is no such device
     */
    void breakConnections(RdmaError error);

    /**
     * Returns how many objects of a kind are open.
     *
     * @param kind the kind
     * @return 0 or more
     */
    int open(ObjectKind kind);

    /**
     * Returns how many objects of any kind are open.
     *
     * @return 0 or more
     */
    int open();

    /**
     * Returns how many calls of a kind have begun.
     *
     * @param call the kind
     * @return 0 or more
     */
    long calls(ProviderCall call);

    /**
     * Returns how many calls are inside of the provider now.
     *
     * @return 0 or more
     */
    int inside();

    /**
     * Returns how many upcalls are inside of the caller of the provider now.
     *
     * @return 0 or more
     */
    int upcallsInside();

    /**
     * Returns the rules that were broken, oldest first.
     *
     * @return a copy
     */
    List<Violation> violations();

    /** Takes all faults away and releases all holds. The account stays as it is. */
    void clear();
}
