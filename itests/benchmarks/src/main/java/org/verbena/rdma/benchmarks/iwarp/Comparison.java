package org.verbena.rdma.benchmarks.iwarp;

import java.io.IOException;
import org.verbena.rdma.benchmarks.Effort;
import org.verbena.rdma.benchmarks.Goal;
import org.verbena.rdma.benchmarks.Row;

/**
 * A row in which the iWARP provider is compared with another.
 *
 * @param what what both do
 * @param unit the unit of both figures
 * @param iwarp the one
 * @param other the other
 * @param goal what is to be reached
 */
record Comparison(String what, String unit, Contender iwarp, Contender other, Goal goal) implements Row {
    Comparison {
        what = "iWARP " + what + ", against " + other.name();
    }

    @Override
    public String baseline() {
        return other.name();
    }

    @Override
    public String missing() {
        return other.missing();
    }

    @Override
    public void prepare(Effort effort) throws Exception {
        iwarp.prepare(effort);
        other.prepare(effort);
    }

    @Override
    public double measure() throws Exception {
        return iwarp.measure();
    }

    @Override
    public double measureBaseline() throws Exception {
        return other.measure();
    }

    @Override
    public void close() throws IOException {
        try (iwarp) {
            other.close();
        }
    }
}
