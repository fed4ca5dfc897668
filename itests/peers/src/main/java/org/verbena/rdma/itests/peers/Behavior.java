// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

/** What a consumer does when its device is removed. */
enum Behavior {
    /** It lets go of everything at once. */
    BEHAVES,
    /** It ignores the event, and goes on for as long as it can. */
    KEEPS,
    /** A callback of it does not return before the device is back. */
    BLOCKS
}
