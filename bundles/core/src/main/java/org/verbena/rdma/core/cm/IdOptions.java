package org.verbena.rdma.core.cm;

import org.verbena.rdma.core.address.PortBinding;
import org.verbena.rdma.spi.EndpointOptions;

/**
 * The options of an id; immutable.
 *
 * @param typeOfService 0 to 255
 * @param ackTimeout 0 to 31, -1 where not set
 * @param reuseAddress whether the local address may be shared
 * @param addressFamilyOnly whether an IPv6 wildcard leaves IPv4 alone
 */
record IdOptions(int typeOfService, int ackTimeout, boolean reuseAddress, boolean addressFamilyOnly) {
    static final IdOptions DEFAULTS = new IdOptions(0, -1, false, false);

    IdOptions withTypeOfService(int value) {
        return new IdOptions(value, ackTimeout, reuseAddress, addressFamilyOnly);
    }

    IdOptions withAckTimeout(int value) {
        return new IdOptions(typeOfService, value, reuseAddress, addressFamilyOnly);
    }

    IdOptions withReuseAddress(boolean value) {
        return new IdOptions(typeOfService, ackTimeout, value, addressFamilyOnly);
    }

    IdOptions withAddressFamilyOnly(boolean value) {
        return new IdOptions(typeOfService, ackTimeout, reuseAddress, value);
    }

    EndpointOptions forProvider() {
        return new EndpointOptions(typeOfService, ackTimeout, reuseAddress);
    }

    PortBinding.Sharing sharing() {
        return new PortBinding.Sharing(reuseAddress, addressFamilyOnly);
    }
}
