package org.verbena.rdma.core.osgi;

import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;
import org.verbena.rdma.core.Core;

/** Takes from a bundle that has stopped what it had left to the removal of a device. Has no state. */
final class StoppedBundles implements SynchronousBundleListener {
    private final Core core;

    StoppedBundles(Core core) {
        this.core = core;
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.STOPPED) {
            core.endBundle(event.getBundle().getBundleId());
        }
    }
}
