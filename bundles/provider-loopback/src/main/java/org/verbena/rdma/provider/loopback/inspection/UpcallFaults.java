package org.verbena.rdma.provider.loopback.inspection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.verbena.rdma.provider.loopback.fault.ProviderUpcall;

/** What happens to the upcalls of one device. The map holds what is not as usual and is safe by itself. */
final class UpcallFaults {
    private sealed interface Fault {}

    private record Lost() implements Fault {}

    private record Doubled() implements Fault {}

    private record Postponed(KeptUpcalls kept) implements Fault {}

    private final Account account;
    private final Map<ProviderUpcall, Fault> faults = new ConcurrentHashMap<>();

    UpcallFaults(Account account) {
        this.account = account;
    }

    void suppress(ProviderUpcall upcall) {
        faults.put(upcall, new Lost());
    }

    void duplicate(ProviderUpcall upcall) {
        faults.put(upcall, new Doubled());
    }

    KeptUpcalls postpone(ProviderUpcall upcall) {
        KeptUpcalls kept = new KeptUpcalls();
        faults.put(upcall, new Postponed(kept));
        return kept;
    }

    void asUsual(ProviderUpcall upcall) {
        faults.remove(upcall);
    }

    void clear() {
        faults.clear();
    }

    /** Tells whether upcalls of a kind are lost. */
    boolean loses(ProviderUpcall upcall) {
        return faults.get(upcall) instanceof Lost;
    }

    /** Keeps an upcall back if that is asked for; else returns {@code false}. */
    boolean keeps(ProviderUpcall upcall, Runnable action) {
        return faults.get(upcall) instanceof Postponed postponed
                && postponed.kept().keep(() -> make(action));
    }

    /** Makes an upcall: once as a rule. */
    void raise(ProviderUpcall upcall, Runnable action) {
        if (loses(upcall) || keeps(upcall, action)) {
            return;
        }
        make(action);
        if (faults.get(upcall) instanceof Doubled) {
            make(action);
        }
    }

    private void make(Runnable action) {
        account.upcallBegun();
        try {
            action.run();
        } finally {
            account.upcallEnded();
        }
    }
}
