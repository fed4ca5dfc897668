package org.verbena.rdma.provider.loopback.inspection;

import java.net.InetSocketAddress;
import org.verbena.rdma.provider.loopback.fault.ProviderCall;
import org.verbena.rdma.spi.ProviderListener;

/** A listener under inspection. */
final class InspectedListener implements ProviderListener {
    private final ProviderListener listener;
    private final InspectedObject object;

    InspectedListener(ProviderListener listener, InspectedObject object) {
        this.listener = listener;
        this.object = object;
    }

    @Override
    public InetSocketAddress localAddress() {
        object.enterToRead();
        try {
            return listener.localAddress();
        } finally {
            object.leave();
        }
    }

    @Override
    public void close() {
        object.close(ProviderCall.CLOSE_LISTENER, listener::close);
    }
}
