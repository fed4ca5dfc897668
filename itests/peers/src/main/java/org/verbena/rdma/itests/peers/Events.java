// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.verbena.rdma.cm.CmEvent;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.cm.EventHandler;

/** Hands the events of all ids to the one thread that runs a program, as librdmacm's event channel does. */
final class Events implements EventHandler {
    private static final int PATIENCE_SECONDS = 120;

    private final BlockingQueue<CmEvent> events = new LinkedBlockingQueue<>();

    @Override
    public Verdict onEvent(CmEvent event) {
        events.add(event);
        return event.type() == CmEventType.DEVICE_REMOVAL ? Verdict.DESTROY : Verdict.KEEP;
    }

    /** Takes the next event, which must be of one of these types. */
    CmEvent take(CmEventType... expected) throws InterruptedException, PeerFailedException {
        CmEvent event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (event == null) {
            throw new PeerFailedException("no event for " + PATIENCE_SECONDS + " s, expected " + names(expected));
        }
        for (CmEventType type : expected) {
            if (event.type() == type) {
                return event;
            }
        }
        throw new PeerFailedException(event.type() + " (" + event.status() + ") instead of " + names(expected));
    }

    private static String names(CmEventType... types) {
        StringBuilder names = new StringBuilder();
        for (CmEventType type : types) {
            names.append(names.length() == 0 ? "" : " or ").append(type);
        }
        return names.toString();
    }
}
