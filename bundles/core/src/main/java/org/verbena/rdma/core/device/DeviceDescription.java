package org.verbena.rdma.core.device;

import java.util.Locale;
import org.verbena.rdma.DeviceAttributes;

/**
 * What a device is, for people: asked of the provider once, so that it can be told of a device that is gone, or whose
 * provider hangs.
 *
 * @param provider the name of the provider
 * @param transport the transport, a lower case word
 * @param guid the GUID as 16 hexadecimal digits, empty where there is none
 */
public record DeviceDescription(String provider, String transport, String guid) {
    static final DeviceDescription UNKNOWN = new DeviceDescription("unknown", "unknown", "");

    static DeviceDescription of(DeviceAttributes attributes) {
        return new DeviceDescription(
                attributes.provider(),
                attributes.transport().propertyValue(),
                attributes.guid() == 0 ? "" : String.format(Locale.ROOT, "%016x", attributes.guid()));
    }
}
