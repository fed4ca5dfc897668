package org.verbena.rdma.core.address;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.PortSpace;

/**
 * Which id holds which port; core owns the ports of all devices. Rules as in {@code rdma_bind_addr(3)}: bindings that
 * cover an address in common exclude each other unless both allow reuse, and then only one of them may listen.
 *
 * <p>Everything is guarded by this object's monitor; nothing outside of this package is called.
 */
public final class PortTable {
    /** The first port that is given out by itself, as Linux has it ({@code ip_local_port_range}). */
    static final int FIRST_AUTOMATIC = 32_768;
    /** The last one. */
    static final int LAST_AUTOMATIC = 60_999;

    private final RandomGenerator random;
    private final Map<PortSpace, Map<Integer, List<PortBinding>>> tables = new EnumMap<>(PortSpace.class);
    private int lastAutomatic;

    /**
     * Makes an empty table.
     *
     * @param random where the search for a free port begins
     */
    public PortTable(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Takes a port.
     *
     * @param portSpace where the port lives
     * @param address an address or a wildcard
     * @param port the port, or 0 for a free one
     * @param sharing how it may be shared
     * @param holder the symbolic name of the bundle, for the message of one who comes later
     * @return the binding, to be released
     * @throws RdmaException with ADDRESS_IN_USE or ADDRESS_NOT_AVAILABLE if the port is taken
     */
    public synchronized PortBinding bind(
            PortSpace portSpace, InetAddress address, int port, PortBinding.Sharing sharing, String holder)
            throws RdmaException {
        Map<Integer, List<PortBinding>> table = tables.computeIfAbsent(portSpace, space -> new HashMap<>());
        if (port != 0) {
            PortBinding binding = new PortBinding(portSpace, address, port, false, sharing, holder);
            requireFree(table, binding);
            table.computeIfAbsent(port, p -> new ArrayList<>(1)).add(binding);
            return binding;
        }
        int range = LAST_AUTOMATIC - FIRST_AUTOMATIC + 1;
        int start = random.nextInt(range);
        for (int i = 0; i < range; i++) {
            int candidate = FIRST_AUTOMATIC + (start + i) % range;
            // The port that was given out last may still be known to a peer.
            if (candidate != lastAutomatic && !table.containsKey(candidate)) {
                lastAutomatic = candidate;
                PortBinding binding = new PortBinding(portSpace, address, candidate, true, sharing, holder);
                table.computeIfAbsent(candidate, p -> new ArrayList<>(1)).add(binding);
                return binding;
            }
        }
        throw new RdmaException(
                RdmaError.ADDRESS_NOT_AVAILABLE,
                "all ports from " + FIRST_AUTOMATIC + " to " + LAST_AUTOMATIC
                        + " are taken: destroy ids or name a port");
    }

    /**
     * Gives a port back; does nothing the second time.
     *
     * @param binding what was taken, or {@code null}
     */
    public synchronized void release(PortBinding binding) {
        if (binding == null) {
            return;
        }
        Map<Integer, List<PortBinding>> table = tables.get(binding.portSpace());
        List<PortBinding> bindings = table == null ? null : table.get(binding.port());
        if (bindings != null && bindings.remove(binding) && bindings.isEmpty()) {
            table.remove(binding.port());
        }
    }

    /**
     * Changes how a port may be shared.
     *
     * @param binding the binding
     * @param sharing how it may be shared from now on
     */
    public synchronized void share(PortBinding binding, PortBinding.Sharing sharing) {
        binding.share(sharing);
    }

    /**
     * Marks a binding as listening, if no other that covers an address in common does.
     *
     * @param binding the binding
     * @throws RdmaException if another listens
     */
    public synchronized void listen(PortBinding binding) throws RdmaException {
        binding.setListening(true);
        try {
            requireFree(tables.get(binding.portSpace()), binding);
        } catch (RdmaException taken) {
            binding.setListening(false);
            throw taken;
        }
    }

    /**
     * Takes the mark of {@link #listen} back.
     *
     * @param binding the binding
     */
    public synchronized void unlisten(PortBinding binding) {
        binding.setListening(false);
    }

    private static void requireFree(Map<Integer, List<PortBinding>> table, PortBinding wanted) throws RdmaException {
        for (PortBinding other : table.getOrDefault(wanted.port(), List.of())) {
            if (other != wanted && other.overlaps(wanted) && !other.mayShareWith(wanted)) {
                boolean wildcard = other.isWildcard() || wanted.isWildcard();
                throw new RdmaException(
                        wildcard ? RdmaError.ADDRESS_NOT_AVAILABLE : RdmaError.ADDRESS_IN_USE,
                        "port " + wanted.port() + " is in use: bundle " + other.holder() + " holds "
                                + (other.isWildcard()
                                        ? "all addresses"
                                        : other.address().getHostAddress())
                                + "; use another port, or 0 for a free one");
            }
        }
    }
}
