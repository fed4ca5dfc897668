// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

/** The other end did not do what the program does, or what was transferred is not what was sent. */
final class PeerFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    PeerFailedException(String message) {
        super(message);
    }
}
