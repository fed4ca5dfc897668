package org.verbena.rdma.provider.disni.natives;

import java.util.HashMap;
import java.util.Map;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** Reads what natives return: the negated number of an error, or something that is not negative. */
public final class Outcome {
    /** Numbers that have no error of their own in the API (errno(3)). */
    private static final int ENXIO = 6;

    private static final int ENOSYS = 38;
    private static final int ENODATA = 61;
    private static final int EOVERFLOW = 75;

    private static final Map<Integer, RdmaError> ERRORS = errors();

    private Outcome() {}

    private static Map<Integer, RdmaError> errors() {
        Map<Integer, RdmaError> errors = new HashMap<>();
        for (RdmaError error : RdmaError.values()) {
            errors.put(error.errno(), error);
        }
        errors.put(ENXIO, RdmaError.NO_DEVICE);
        errors.put(ENOSYS, RdmaError.NOT_SUPPORTED);
        errors.put(ENODATA, RdmaError.HOST_UNREACHABLE);
        errors.put(EOVERFLOW, RdmaError.TOO_LARGE);
        return Map.copyOf(errors);
    }

    /**
     * Names an error.
     *
     * @param result what a native has returned, or the status of an event; the sign does not matter
     * @return the error, INPUT_OUTPUT for one that has no name
     */
    public static RdmaError error(long result) {
        return ERRORS.getOrDefault((int) Math.abs(result), RdmaError.INPUT_OUTPUT);
    }

    /**
     * Throws if a native has failed.
     *
     * @param result what it returned
     * @param what what was tried, as the start of a sentence
     * @return the result
     * @throws RdmaException if it is negative
     */
    public static int check(int result, String what) throws RdmaException {
        check((long) result, what);
        return result;
    }

    /**
     * Throws if a native has failed.
     *
     * @param result what it returned
     * @param what what was tried, as the start of a sentence
     * @return the result
     * @throws RdmaException if it is negative
     */
    public static long check(long result, String what) throws RdmaException {
        if (result < 0) {
            throw failure(result, what);
        }
        return result;
    }

    /**
     * Says that a native has failed.
     *
     * @param result what it returned, negative
     * @param what what was tried, as the start of a sentence
     * @return a new exception
     */
    public static RdmaException failure(long result, String what) {
        RdmaError error = error(result);
        return new RdmaException(error, what + " failed: " + error.sentence() + " (error " + -result + ")");
    }
}
