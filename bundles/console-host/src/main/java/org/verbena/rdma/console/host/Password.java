package org.verbena.rdma.console.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The password, which may be guessed at so many times a minute and no more. All fields that change are guarded by this
 * object's monitor.
 */
final class Password {
    static final int SHORTEST = 8;

    private static final int FAILURES = 10;
    private static final long AGAIN_NANOS = Duration.ofMinutes(1).toNanos();

    private final byte[] digest;
    private final LongSupplier nanoTime;
    private int failures;
    private long since;

    /** What comes of a guess. */
    enum Outcome {
        RIGHT,
        WRONG,
        TOO_MANY
    }

    /**
     * Keeps no copy of it.
     *
     * @param password the password
     * @param nanoTime the time, as {@link System#nanoTime} tells it
     * @throws IllegalArgumentException if it is too short
     */
    Password(String password, LongSupplier nanoTime) {
        if (password == null || password.length() < SHORTEST) {
            throw new IllegalArgumentException(
                    "the password of the web console needs " + SHORTEST + " characters or more");
        }
        digest = digest(password);
        this.nanoTime = nanoTime;
    }

    synchronized Outcome guess(String guess) {
        long now = nanoTime.getAsLong();
        if (now - since > AGAIN_NANOS) {
            failures = 0;
        }
        if (failures >= FAILURES) {
            return Outcome.TOO_MANY;
        }
        if (guess != null && MessageDigest.isEqual(digest, digest(guess))) {
            failures = 0;
            return Outcome.RIGHT;
        }
        if (failures++ == 0) {
            since = now;
        }
        return Outcome.WRONG;
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
