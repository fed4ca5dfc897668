package org.verbena.rdma.itests.schedules;

import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.LincheckSettings;

/**
 * Runs a protocol under many schedules: as Lincheck's model checker chooses them, always the same ones, or as they happen
 * to come.
 */
public final class ProtocolSearch {
    static final int NOTHING_FOUND = 0;
    static final int FOUND = 3;

    private static final int ATTEMPTS = 20;

    /** The JDK's collections count as correct, and a loop over the guard's table is none that hangs. */
    private static final LincheckSettings SETTINGS = new LincheckSettings(false, 10, 2_000, 20);

    private ProtocolSearch() {}

    /**
     * Searches; the exit status is 0 if nothing was found, 3 if something was, which is printed.
     *
     * @param arguments the protocol, {@code model} or {@code stress}, and how many schedules
     */
    public static void main(String[] arguments) {
        Protocol protocol = Protocol.valueOf(arguments[0]);
        int schedules = Integer.parseInt(arguments[2]);
        long start = System.nanoTime();
        try {
            if (arguments[1].equals("model")) {
                makeWhatIsMadeOnce(protocol);
                warmUp(protocol);
                check(protocol, schedules);
            } else {
                stress(protocol, schedules);
            }
            System.out.printf(
                    "nothing found in %d schedules, %d ms%n", schedules, (System.nanoTime() - start) / 1_000_000);
            System.exit(NOTHING_FOUND);
        } catch (AssertionError found) {
            System.out.println(found);
            System.exit(FOUND);
        }
    }

    /** Before the search. Should this find something by chance, the search shall find it too. */
    private static void makeWhatIsMadeOnce(Protocol protocol) {
        try {
            protocol.run();
        } catch (AssertionError byChance) {
            System.out.println("found without a search: " + byChance.getMessage());
        }
    }

    private static void stress(Protocol protocol, int times) {
        for (int i = 0; i < times; i++) {
            protocol.run();
        }
    }

    private static void check(Protocol protocol, int schedules) {
        Lincheck.runConcurrentTestInternal$lincheck(schedules, SETTINGS, protocol);
    }

    /**
     * Lets Lincheck change the classes, which it does when they are used first, and for which a schedule has but 30 s: too
     * little on a busy machine. What is changed stays so for the next attempt.
     */
    private static void warmUp(Protocol protocol) {
        for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
            try {
                check(protocol, 1);
                return;
            } catch (LincheckAssertionError failed) {
                if (!String.valueOf(failed.getMessage()).contains("has hung")) {
                    throw failed;
                }
            }
        }
    }
}
