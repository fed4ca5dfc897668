// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.consumers.traffic;

import java.util.function.Consumer;

/**
 * Where traffic writes down what it sees, for the test to count. What must not be begins with {@code problem: }.
 */
final class Ledger {
    private final Consumer<String> entries;

    Ledger(Consumer<String> entries) {
        this.entries = entries;
    }

    void count(String what) {
        entries.accept(what);
    }

    void problem(String what) {
        count("problem: " + what);
    }
}
