package org.verbena.rdma.provider.disni.discovery;

import java.util.Set;

/** Tells which devices there are. */
interface DeviceList {
    /** Returns the devices that programs can open now. */
    Set<PresentDevice> present();
}
