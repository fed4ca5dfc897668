package org.verbena.rdma.provider.loopback.inspection;

import java.util.EnumMap;
import java.util.Map;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;

/** What happens to the calls on one device. The map is filled once. */
final class CallFaults {
    private final Map<ProviderCall, CallFault> faults = new EnumMap<>(ProviderCall.class);

    CallFaults() {
        for (ProviderCall call : ProviderCall.values()) {
            faults.put(call, new CallFault());
        }
    }

    CallFault of(ProviderCall call) {
        return faults.get(call);
    }

    void clear() {
        faults.values().forEach(CallFault::clear);
    }
}
