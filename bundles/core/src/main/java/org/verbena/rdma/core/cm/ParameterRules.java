package org.verbena.rdma.core.cm;

import java.nio.ByteBuffer;
import java.time.Duration;
import org.verbena.rdma.DeviceAttributes;
import org.verbena.rdma.PrivateDataCarrier;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.ConnectionParameters;

/** Checks what a consumer passes to connect, accept and reject against the device, and fills in what it left open. */
final class ParameterRules {
    private ParameterRules() {}

    static ConnectionParameters forConnect(ConnectionParameters wanted, DeviceAttributes device) throws RdmaException {
        requireFits(wanted.privateData(), PrivateDataCarrier.REQUEST, device);
        return wanted.withResources(
                resources("responderResources", wanted.responderResources(), device.maxResponderResources(), 255),
                resources("initiatorDepth", wanted.initiatorDepth(), device.maxInitiatorDepth(), 255));
    }

    static ConnectionParameters forAccept(
            ConnectionParameters wanted, ConnectionParameters requested, DeviceAttributes device) throws RdmaException {
        requireFits(wanted.privateData(), PrivateDataCarrier.REPLY, device);
        int depth = requested.initiatorDepth();
        if (depth >= 0
                && depth < ConnectionParameters.MAXIMUM
                && isNumber(wanted.initiatorDepth())
                && wanted.initiatorDepth() > depth) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    "initiatorDepth " + wanted.initiatorDepth() + " is more than the " + depth
                            + " reads that the peer serves: use at most that, or MAXIMUM");
        }
        return wanted.withResources(
                resources(
                        "responderResources",
                        wanted.responderResources(),
                        device.maxResponderResources(),
                        requested.responderResources()),
                resources("initiatorDepth", wanted.initiatorDepth(), device.maxInitiatorDepth(), depth));
    }

    static ByteBuffer forReject(ByteBuffer data, DeviceAttributes device) throws RdmaException {
        ByteBuffer content = data == null ? ByteBuffer.allocate(0) : data.duplicate();
        requireFits(content, PrivateDataCarrier.REJECT, device);
        return content;
    }

    static void requirePositive(Duration timeout) throws RdmaException {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT, "the timeout must be greater than zero, not " + timeout);
        }
    }

    private static boolean isNumber(int value) {
        return value != ConnectionParameters.MAXIMUM && value != ConnectionParameters.UNKNOWN;
    }

    private static int resources(String name, int wanted, int most, int peer) throws RdmaException {
        if (!isNumber(wanted)) {
            return peer < 0 ? most : Math.min(most, peer);
        }
        if (wanted > most) {
            throw new RdmaException(
                    RdmaError.INVALID_ARGUMENT,
                    name + " " + wanted + " is more than the " + most + " that the device takes: use MAXIMUM");
        }
        return wanted;
    }

    private static void requireFits(ByteBuffer data, PrivateDataCarrier message, DeviceAttributes device)
            throws RdmaException {
        int most = device.maxPrivateData(message);
        if (data.remaining() > most) {
            throw new RdmaException(
                    RdmaError.TOO_LARGE,
                    data.remaining() + " bytes of private data do not fit: a "
                            + message.name().toLowerCase(java.util.Locale.ROOT) + " of this device carries at most "
                            + most);
        }
    }
}
