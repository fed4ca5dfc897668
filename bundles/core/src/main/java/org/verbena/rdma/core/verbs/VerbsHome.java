package org.verbena.rdma.core.verbs;

import java.util.EnumMap;
import java.util.Map;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.spi.ProviderDevice;

/**
 * What all verbs objects of a device share in one period of use. Immutable but for the limits, which are learnt before
 * anything is made, and for the provider's device, which is let go of at the end, so that a consumer that holds on to its
 * objects does not hold on to the provider.
 */
final class VerbsHome {
    private final String device;
    private volatile DeviceLimits limits;
    private final Guard guard;
    private final Gate gate;
    private final ObjectLife life;
    /** Made once for all objects: there may be many. */
    private final Map<Kind, String> names = new EnumMap<>(Kind.class);

    private volatile ProviderDevice provider;

    VerbsHome(String device, ProviderDevice provider, Guard guard, Gate gate, ObjectLife life) {
        this.device = device;
        this.provider = provider;
        this.guard = guard;
        this.gate = gate;
        this.life = life;
        for (Kind kind : Kind.values()) {
            names.put(kind, kind + " of " + device);
        }
    }

    /** The name of the device. */
    String device() {
        return device;
    }

    /** What an object of a kind is, for people: "queue pair of siw0". */
    String named(Kind kind) {
        return names.get(kind);
    }

    /** The device of the provider; inside the gate only. */
    ProviderDevice provider() {
        return provider;
    }

    /** The period of use is over. */
    void forgetProvider() {
        provider = null;
    }

    /** What the device takes, as the provider has told it. */
    void learn(DeviceAttributes told) {
        limits = DeviceLimits.of(device, told);
    }

    /** How much the device takes: asked of the provider on first use, if it was not told before. */
    DeviceLimits limits() {
        DeviceLimits told = limits;
        if (told == null) {
            told = DeviceLimits.of(device, provider.attributes());
            limits = told;
        }
        return told;
    }

    /** Knows who is inside. */
    Guard guard() {
        return guard;
    }

    /** The gate above those of all objects; also the gate of what makes and frees objects. */
    Gate gate() {
        return gate;
    }

    /** Makes and frees objects. */
    ObjectLife life() {
        return life;
    }
}
