package org.verbena.rdma.core.cm;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.verbena.rdma.ProtectionDomain;
import org.verbena.rdma.QueuePair;
import org.verbena.rdma.QueuePairConfiguration;
import org.verbena.rdma.RdmaDevice;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.CmId;
import org.verbena.rdma.cm.CmState;
import org.verbena.rdma.cm.ConnectionParameters;
import org.verbena.rdma.cm.EventHandler;
import org.verbena.rdma.cm.PortSpace;
import org.verbena.rdma.core.address.PortBinding;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DeviceMember;
import org.verbena.rdma.core.dispatch.DispatchedFuture;
import org.verbena.rdma.core.dispatch.Turn;
import org.verbena.rdma.core.guard.Presence;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.core.session.SessionMember;
import org.verbena.rdma.spi.Endpoint;
import org.verbena.rdma.spi.EndpointUpcalls;

/**
 * A connection id.
 *
 * <p>{@link IdState} decides who may do what and holds what the decision needs. The other fields are written inside of a
 * call or the clean-up, of which there is one at a time, and are volatile because others read them. No lock is held here.
 */
public final class ConnectionId extends Turn implements CmId, DeviceMember, SessionMember {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConnectionId.class);
    private static final int DEFAULT_BACKLOG = 256;

    private final long number;
    private final Surroundings surroundings;
    private final Session session;
    private final PortSpace portSpace;
    private final Device pinned;
    private final IdBinding binding;
    private final ConnectionId parent;
    private final ConnectionParameters requestParameters;
    private final IdState state;
    private final AtomicReference<DispatchedFuture<Void>> destroyedStage = new AtomicReference<>();
    private volatile EventHandler handler;
    private volatile IdOptions options;
    private volatile AddressListening listening;
    private volatile QueuePair queuePair;

    private ConnectionId(
            Surroundings surroundings,
            Session session,
            PortSpace portSpace,
            Device pinned,
            ConnectionId parent,
            ConnectionParameters requestParameters,
            IdState state,
            EventHandler handler,
            IdOptions options) {
        this.number = surroundings.numbers().incrementAndGet();
        this.surroundings = surroundings;
        this.session = session;
        this.portSpace = portSpace;
        this.pinned = pinned;
        this.parent = parent;
        this.requestParameters = requestParameters;
        this.state = state;
        this.handler = handler;
        this.options = options;
        this.binding = new IdBinding(this, state, surroundings, portSpace, pinned);
    }

    /**
     * Makes an id that is idle and belongs to a session.
     *
     * @param surroundings what is around it
     * @param session whose it is
     * @param portSpace where its ports live
     * @param pinned the only device it may use, or {@code null}
     * @param handler what is told of its events
     * @return a new id
     * @throws RdmaException if the session has ended
     */
    public static ConnectionId create(
            Surroundings surroundings, Session session, PortSpace portSpace, Device pinned, EventHandler handler)
            throws RdmaException {
        Objects.requireNonNull(portSpace, "portSpace");
        Objects.requireNonNull(handler, "handler");
        ConnectionId id = new ConnectionId(
                surroundings, session, portSpace, pinned, null, null, IdState.idle(), handler, IdOptions.DEFAULTS);
        session.add(id);
        return id;
    }

    private static ConnectionId requested(ConnectionId listener, Device device, ConnectionParameters parameters) {
        return new ConnectionId(
                listener.surroundings,
                listener.session,
                listener.portSpace,
                listener.pinned,
                listener,
                parameters,
                IdState.requested(device),
                listener.handler,
                listener.options);
    }

    // What others of this package need

    Attachment attachment() {
        return binding.attachment();
    }

    IdState idState() {
        return state;
    }

    IdOptions options() {
        return options;
    }

    ConnectionParameters requestParameters() {
        return requestParameters;
    }

    boolean shows(CmEventType type) {
        return session.consumer().version().knows(type);
    }

    void learnLocal(InetSocketAddress address) {
        binding.learnLocal(address);
    }

    /** Does what the state has found to be this thread's to do. */
    void after(IdState.After after) {
        switch (after) {
            case SCHEDULE -> session.consumer().lane().schedule(this);
            case CLEAN_UP -> cleanUp();
            default -> {
                // Somebody else is still at it, or there is nothing to do.
            }
        }
    }

    // Callbacks

    @Override
    protected void step() {
        Event event;
        try {
            event = state.beginCallback(this);
        } catch (OutOfMemoryError later) {
            // The event is still recorded; it goes to the end of the lane and is tried again.
            Thread.onSpinWait();
            after(state.retryCallback());
            return;
        }
        if (event == null) {
            return;
        }
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            deliverRequest(event);
        } else {
            deliver(event);
        }
    }

    @Override
    protected String label() {
        return "callback of " + this + ", " + state.told();
    }

    /** A request's callback runs on the child, under the turn of this listener. */
    private void deliverRequest(Event event) {
        ConnectionId child = event.target();
        try {
            if (child.state.beginRequestCallback()) {
                child.handler = handler;
                boolean keep = false;
                try {
                    keep = call(event);
                } finally {
                    child.endCallback(keep, event);
                }
            }
        } finally {
            after(state.endCallback(true, event.type()));
        }
    }

    private void deliver(Event event) {
        boolean keep = false;
        try {
            keep = (event.type() != CmEventType.ADDR_ERROR || dropResolution()) && call(event);
        } finally {
            endCallback(keep, event);
        }
        if (event.type() == CmEventType.DEVICE_REMOVAL && keep) {
            destroyIfIdle();
        }
    }

    /** Drops a resolution that has failed; tells whether its callback may still begin. */
    private boolean dropResolution() {
        boolean alive = false;
        try {
            binding.dropResolution();
        } finally {
            alive = state.endDrop();
        }
        return alive;
    }

    /** What follows a callback is done whatever fails on the way, or the id would be stuck for ever. */
    private void endCallback(boolean keep, Event event) {
        IdState.After after = state.endCallback(keep, event.type());
        try {
            surroundings.observer().delivered(this, event.type());
        } finally {
            after(after);
        }
    }

    private boolean call(Event event) {
        if (session.isEnded()) {
            return false;
        }
        try {
            EventHandler.Verdict verdict = event.target().handler.onEvent(event);
            if (verdict == null) {
                LOGGER.warn(
                        "bundle {} answered {} with null: the id is destroyed",
                        consumer().name(),
                        event);
            }
            return verdict == EventHandler.Verdict.KEEP;
        } catch (Throwable thrown) {
            // Whatever a consumer throws, an Error too, is its verdict on this id and must not end the dispatcher.
            warnThrown(event, thrown);
            return false;
        }
    }

    private void warnThrown(Event event, Throwable thrown) {
        try {
            LOGGER.warn("bundle {} threw on {}: the id is destroyed", consumer().name(), event, thrown);
        } catch (OutOfMemoryError noMemoryToLog) {
            // The heap is what the consumer has exhausted; the id is destroyed all the same.
            return;
        }
    }

    /** Takes a request that a listening point of this listener brings, or refuses it. */
    EndpointUpcalls take(Device device, Endpoint endpoint, ConnectionParameters parameters) {
        ConnectionId child = null;
        boolean offered = false;
        try {
            child = requested(this, device, parameters);
            child.binding.adopt(device, endpoint);
            session.add(child);
            offered = child.state.endTaking() && state.offer(child);
            if (offered && child.state.isDestroying()) {
                state.withdraw(child);
            }
        } catch (RdmaException going) {
            LOGGER.debug("{} refuses a request from {}: {}", this, device, going.getMessage());
        } catch (OutOfMemoryError noMemory) {
            // Refused as well; nothing is left that would need memory.
            offered = false;
        } catch (RuntimeException | Error broken) {
            LOGGER.warn("{} refuses a request whose provider fails, on {}", this, device, broken);
        }
        if (offered) {
            after(state.afterOffer());
            return child.attachment();
        }
        return child == null ? null : child.refuse();
    }

    /** The network behind the one address of this listener has changed. */
    void addressChanged() {
        if (shows(CmEventType.ADDR_CHANGE)) {
            after(state.addressChanged());
        }
    }

    /**
     * Gives up the id of a request that is not taken. Null if the endpoint stays the provider's; otherwise a removal or
     * the end of the session has closed it meanwhile, and the provider must take it as taken.
     */
    private EndpointUpcalls refuse() {
        Attachment made = attachment();
        boolean providers = made == null || made.giveBackEndpoint();
        state.endTaking();
        after(state.destroy());
        return providers ? null : made;
    }

    // Calls of the consumer

    @Override
    public CmState state() {
        return state.state();
    }

    @Override
    public PortSpace portSpace() {
        return portSpace;
    }

    @Override
    public void bindAddress(InetSocketAddress address) throws RdmaException {
        session.ensureOpen();
        state.begin("bindAddress", CmState.IDLE);
        IdState.After after = null;
        try {
            AddressChoice.requireUsable(address);
            binding.bind(address);
            after = state.settle(CmState.ADDR_BOUND);
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    @Override
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws RdmaException {
        session.ensureOpen();
        Objects.requireNonNull(destination, "destination");
        state.begin("resolveAddress", CmState.IDLE, CmState.ADDR_BOUND);
        IdState.After after = null;
        try {
            binding.resolve(source, destination, timeout);
            after = state.settle(CmState.ADDR_QUERY);
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    @Override
    public void resolveRoute(Duration timeout) throws RdmaException {
        session.ensureOpen();
        state.begin("resolveRoute", CmState.ADDR_RESOLVED);
        IdState.After after = null;
        try {
            ParameterRules.requirePositive(timeout);
            attachment().device().requireNotMarked();
            state.advance(Progress.ROUTING);
            attachment().call(endpoint -> {
                endpoint.resolveRoute(timeout);
                return null;
            });
            after = state.settle(CmState.ROUTE_QUERY);
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    @Override
    public QueuePair createQueuePair(ProtectionDomain protectionDomain, QueuePairConfiguration configuration)
            throws RdmaException {
        session.ensureOpen();
        Objects.requireNonNull(protectionDomain, "protectionDomain");
        Objects.requireNonNull(configuration, "configuration");
        state.begin(
                "createQueuePair", CmState.ADDR_RESOLVED, CmState.ROUTE_QUERY, CmState.ROUTE_RESOLVED, CmState.CONNECT);
        try {
            QueuePair existing = queuePair;
            if (existing != null && existing.isOpen()) {
                throw new IllegalStateException(
                        "the id has queue pair " + existing.number() + " already: close it first");
            }
            if (state.state() == CmState.CONNECT
                    && state.progress() != Progress.REQUESTED
                    && state.progress() != Progress.RESPONDED) {
                throw new IllegalStateException(
                        "createQueuePair is not possible in state CONNECT once the connection is under way");
            }
            Device device = attachment().device();
            device.requireNotMarked();
            QueuePair made = attachment().call(endpoint -> device.verbs()
                    .createQueuePair(
                            session,
                            new SessionDevice(session, device),
                            endpoint,
                            protectionDomain,
                            configuration,
                            device::changed));
            queuePair = made;
            return made;
        } finally {
            after(state.settle());
        }
    }

    @Override
    public void connect(ConnectionParameters parameters) throws RdmaException {
        session.ensureOpen();
        Objects.requireNonNull(parameters, "parameters");
        state.begin("connect", CmState.ROUTE_RESOLVED);
        IdState.After after = null;
        try {
            Device device = attachment().device();
            device.requireNotMarked();
            ConnectionParameters told = ParameterRules.forConnect(parameters, device.attributes());
            state.advance(Progress.CONNECTING);
            attachment().call(endpoint -> {
                endpoint.connect(told);
                return null;
            });
            after = state.settle(CmState.CONNECT);
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    @Override
    public void establish() throws RdmaException {
        session.ensureOpen();
        state.begin("establish", CmState.CONNECT);
        try {
            state.requireProgress("establish", Progress.RESPONDED, "no CONNECT_RESPONSE has come");
            requireQueuePair("establish");
            attachment().device().requireNotMarked();
            attachment().call(endpoint -> {
                endpoint.establish();
                return null;
            });
            state.establishedByConsumer();
        } finally {
            after(state.settle());
        }
    }

    @Override
    public void notify(Observation observation) throws RdmaException {
        session.ensureOpen();
        Objects.requireNonNull(observation, "observation");
        state.begin("notify", CmState.CONNECT);
        try {
            attachment().call(endpoint -> {
                endpoint.communicationEstablished();
                return null;
            });
        } finally {
            after(state.settle());
        }
    }

    @Override
    public void listen(int backlog) throws RdmaException {
        session.ensureOpen();
        if (backlog < 0) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT, "the backlog must not be negative, as " + backlog + " is");
        }
        state.begin("listen", CmState.IDLE, CmState.ADDR_BOUND);
        IdState.After after = null;
        try {
            boolean boundHere = binding.port() == null;
            if (boundHere) {
                binding.bind(new InetSocketAddress("0.0.0.0", 0));
            }
            boolean listens = false;
            try {
                startListening(backlog == 0 ? DEFAULT_BACKLOG : backlog);
                listens = true;
            } finally {
                if (!listens && boundHere) {
                    binding.unbind();
                }
            }
            after = state.settle(CmState.LISTEN);
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    private void startListening(int backlog) throws RdmaException {
        Device device = binding.device();
        if (device != null) {
            device.requireNotMarked();
        }
        state.setBacklog(backlog);
        for (int attempt = 1; ; attempt++) {
            PortBinding port = binding.port();
            surroundings.ports().listen(port);
            AddressListening starting = new AddressListening(
                    this, surroundings, port, binding.only(), options.addressFamilyOnly(), backlog);
            listening = starting;
            boolean started = false;
            try {
                starting.start();
                started = true;
                return;
            } catch (RdmaException taken) {
                if (taken.error() != RdmaError.ADDRESS_IN_USE || !port.isAutomatic() || attempt == 64) {
                    throw taken;
                }
            } finally {
                if (!started) {
                    listening = null;
                    surroundings.ports().unlisten(port);
                    refuseRequests();
                }
            }
            // The operating system knows of a use of this port that the table does not: take another.
            binding.takeAnotherPort();
        }
    }

    @Override
    public void accept(ConnectionParameters parameters) throws RdmaException {
        session.ensureOpen();
        Objects.requireNonNull(parameters, "parameters");
        state.begin("accept", CmState.CONNECT);
        IdState.After after = null;
        try {
            requireRequest("accept");
            requireQueuePair("accept");
            Device device = attachment().device();
            device.requireNotMarked();
            ConnectionParameters told = ParameterRules.forAccept(parameters, requestParameters, device.attributes());
            if (!state.advance(Progress.REQUESTED, Progress.ACCEPTING)) {
                requireRequest("accept");
            }
            attachment().call(endpoint -> {
                endpoint.accept(told);
                return null;
            });
            after = state.settle();
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    @Override
    public void reject(ByteBuffer privateData) throws RdmaException {
        session.ensureOpen();
        state.begin("reject", CmState.CONNECT);
        IdState.After after = null;
        try {
            requireRequest("reject");
            ByteBuffer told =
                    ParameterRules.forReject(privateData, attachment().device().attributes());
            if (!state.advance(Progress.REQUESTED, Progress.REFUSED)) {
                requireRequest("reject");
            }
            attachment().call(endpoint -> {
                endpoint.reject(told);
                return null;
            });
            after = state.settle();
        } finally {
            after(after == null ? state.fail() : after);
        }
    }

    private void requireRequest(String name) throws RdmaException {
        if (parent != null && state.progress() == Progress.ENDED) {
            throw new RdmaException(
                    RdmaError.CONNECTION_RESET, "the peer has gone before the " + name + ": destroy the id");
        }
        state.requireProgress(
                name,
                Progress.REQUESTED,
                parent == null ? "no peer has asked for this connection" : "the request is answered already");
    }

    private void requireQueuePair(String name) {
        QueuePair made = queuePair;
        if (made == null || !made.isOpen()) {
            throw new IllegalStateException(
                    name + " in state " + state.state() + " needs a queue pair: call createQueuePair first");
        }
    }

    @Override
    public void disconnect() throws RdmaException {
        session.ensureOpen();
        CmState now = state.begin("disconnect", CmState.CONNECT, CmState.DISCONNECT);
        try {
            Progress progress = state.progress();
            if (now == CmState.DISCONNECT || progress == Progress.ENDED || progress == Progress.OVER) {
                return;
            }
            state.requireProgress("disconnect", Progress.ESTABLISHED, "the connection is not established");
            attachment().call(endpoint -> {
                endpoint.disconnect();
                return null;
            });
        } finally {
            after(state.settle());
        }
    }

    // Options

    @Override
    public void handler(EventHandler newHandler) {
        handler = Objects.requireNonNull(newHandler, "handler");
    }

    @Override
    public void typeOfService(int typeOfService) {
        requireRange("typeOfService", typeOfService, 255);
        requireBeforeConnect("typeOfService");
        options = options.withTypeOfService(typeOfService);
    }

    @Override
    public void ackTimeout(int exponent) {
        requireRange("ackTimeout", exponent, 31);
        requireBeforeConnect("ackTimeout");
        options = options.withAckTimeout(exponent);
    }

    @Override
    public void reuseAddress(boolean reuse) {
        if (reuse) {
            state.requireState(
                    "reuseAddress",
                    CmState.IDLE,
                    CmState.ADDR_BOUND,
                    CmState.ADDR_QUERY,
                    CmState.ADDR_RESOLVED,
                    CmState.ROUTE_QUERY,
                    CmState.ROUTE_RESOLVED,
                    CmState.CONNECT,
                    CmState.DISCONNECT);
        } else {
            state.requireState("reuseAddress(false)", CmState.IDLE);
        }
        options = options.withReuseAddress(reuse);
        binding.share();
    }

    @Override
    public void addressFamilyOnly(boolean only) {
        state.requireState("addressFamilyOnly", CmState.IDLE, CmState.ADDR_BOUND);
        options = options.withAddressFamilyOnly(only);
        binding.share();
    }

    private void requireBeforeConnect(String name) {
        state.requireState(
                name,
                CmState.IDLE,
                CmState.ADDR_BOUND,
                CmState.ADDR_QUERY,
                CmState.ADDR_RESOLVED,
                CmState.ROUTE_QUERY,
                CmState.ROUTE_RESOLVED);
    }

    private static void requireRange(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(name + " must be 0 to " + most + ", not " + value);
        }
    }

    // What can be seen

    @Override
    public RdmaDevice device() {
        Attachment bound = attachment();
        return bound == null ? null : new SessionDevice(session, bound.device());
    }

    @Override
    public QueuePair queuePair() {
        return queuePair;
    }

    @Override
    public InetSocketAddress localAddress() {
        return binding.local();
    }

    @Override
    public InetSocketAddress peerAddress() {
        return binding.peer();
    }

    // Destroying

    @Override
    public void destroy() {
        after(state.destroy());
        if (!surroundings.dispatcher().inCallback()) {
            state.awaitDestroyed();
        }
    }

    @Override
    public CompletionStage<Void> destroyed() {
        DispatchedFuture<Void> stage = destroyedStage.get();
        if (stage == null) {
            destroyedStage.compareAndSet(null, new DispatchedFuture<>(session));
            stage = destroyedStage.get();
            if (state.isDestroyed()) {
                stage.complete(null);
            }
        }
        return stage.copy();
    }

    /** What nobody else does any more: called once, with no call inside and no callback running. */
    private void cleanUp() {
        Device left = null;
        try {
            left = closeAtProvider();
        } finally {
            // Whatever fails above, nobody must wait for this id for ever.
            try {
                binding.releasePort();
            } finally {
                try {
                    session.remove(this);
                    leave(left);
                } finally {
                    finish();
                }
            }
        }
    }

    private void finish() {
        state.finish();
        DispatchedFuture<Void> stage = destroyedStage.get();
        if (stage != null) {
            stage.complete(null);
        }
    }

    /** After all else: a removal that was waiting for this id ends, and then nothing may be left of it. */
    private void leave(Device left) {
        if (left != null) {
            left.detach(this);
        }
    }

    /** Returns the device that nothing is left on, or {@code null}. */
    private Device closeAtProvider() {
        refuseRequests();
        AddressListening listens = listening;
        if (listens != null) {
            listens.close();
        }
        Attachment bound = attachment();
        if (bound == null) {
            return null;
        }
        QueuePair made = queuePair;
        boolean endpointLeft = made == null || bound.device().verbs().destroyQueuePair(made);
        Presence here = endpointLeft ? bound.device().enter() : null;
        if (here == null) {
            // The device is past its revocation, or hangs, and its removal closes what is left.
            return null;
        }
        try {
            bound.closeEndpoint();
        } finally {
            here.exit();
        }
        return bound.device();
    }

    private void refuseRequests() {
        for (ConnectionId child : state.takeRequests()) {
            child.after(child.state.destroy());
        }
    }

    // As the session sees it

    @Override
    public void endWithSession() {
        after(state.destroy());
    }

    @Override
    public boolean awaitEnd(long deadlineNanos) {
        return state.awaitDestroyed(deadlineNanos);
    }

    // As the removal of its device sees it

    @Override
    public void markRemoval(Device device) {
        state.markRemoval(device);
    }

    @Override
    public boolean tellRemoval(Device device) {
        IdState.After after = state.tellRemoval(device);
        if (after != null) {
            after(after);
        }
        return after != null;
    }

    @Override
    public void refuseIfUndelivered() {
        if (state.isUndelivered() && parent != null) {
            // Marked first: who takes the request looks after it is queued, and one of the two takes it out.
            IdState.After after = state.destroy();
            parent.state.withdraw(this);
            after(after);
        }
    }

    @Override
    public boolean isHolding(Thread unregistering) {
        return state.isHolding(unregistering);
    }

    @Override
    public void destroyIfIdle() {
        if (state.isRemovalKept() && !hasOutstandingWork()) {
            after(state.destroy());
        }
    }

    private boolean hasOutstandingWork() {
        QueuePair made = queuePair;
        Attachment bound = attachment();
        return made != null
                && bound != null
                && made.isOpen()
                && bound.device().verbs().mayHaveWork(made);
    }

    @Override
    public boolean isBlamed() {
        return state.isConsumersTurn();
    }

    @Override
    public void force() {
        if (state.isRemovalKept()) {
            after(state.destroy());
        }
        // Otherwise it is a shell: DEVICE_REMOVAL waits for a callback to return, or for a thread.
    }

    @Override
    public void breakWaits() {
        state.breakWaits("destroy of " + this + " has waited in vain: " + waitingFor()
                + " did not end before its device was removed; the id is destroyed when the callback returns");
    }

    @Override
    public void closeLeftover() {
        Attachment bound = attachment();
        if (bound != null) {
            bound.closeEndpoint();
        }
    }

    @Override
    public Consumer consumer() {
        return session.consumer();
    }

    @Override
    public String waitingFor() {
        return "bundle " + consumer().name() + ", " + this + ", " + state.waitingFor();
    }

    // For monitoring

    /**
     * Returns the number of the id.
     *
     * @return a number that never comes again
     */
    public long number() {
        return number;
    }

    /**
     * Returns a view for monitoring.
     *
     * @return the view
     */
    public IdView view() {
        Attachment bound = attachment();
        return new IdView(this, state, bound == null ? null : bound.device(), listening, queuePair, parent);
    }

    @Override
    public String toString() {
        return "id " + number;
    }
}
