package org.verbena.rdma.shell.command;

import java.util.Locale;
import org.verbena.rdma.monitor.ConsumerSnapshot;
import org.verbena.rdma.monitor.IdSnapshot;
import org.verbena.rdma.monitor.RemovalSnapshot;

/** Snapshots in words. */
final class Words {
    private Words() {}

    static String state(IdSnapshot id) {
        return id.state() + (id.removing() ? ", removing" : "") + (id.destroying() ? ", destroying" : "");
    }

    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f s", millis / 1000.0);
    }

    static String ids(int count) {
        return count + (count == 1 ? " id" : " ids");
    }

    static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** What a removal does now, and who holds it up. */
    static String progress(RemovalSnapshot removal) {
        return lower(removal.step())
                + (removal.idsLeft() > 0 ? ", " + ids(removal.idsLeft()) + " left" : "")
                + (removal.waitingFor().isEmpty() ? "" : ", " + String.join("; ", removal.waitingFor()));
    }

    /** What is wrong with a consumer, or empty. */
    static String trouble(ConsumerSnapshot consumer) {
        StringBuilder trouble = new StringBuilder();
        if (!consumer.blockedThreads().isEmpty()) {
            trouble.append("its callbacks block thread ").append(String.join(", ", consumer.blockedThreads()));
        }
        if (consumer.waitingCallbacks() > 0) {
            trouble.append(trouble.isEmpty() ? "" : ", ")
                    .append(consumer.waitingCallbacks())
                    .append(consumer.waitingCallbacks() == 1 ? " callback waits" : " callbacks wait");
        }
        if (consumer.forced() > 0) {
            trouble.append(trouble.isEmpty() ? "" : ", ")
                    .append("forced ")
                    .append(consumer.forced() == 1 ? "once" : consumer.forced() + " times");
        }
        return trouble.toString();
    }
}
